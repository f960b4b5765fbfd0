/** What the commands of the assistant have in common: an app with its assistant, and how steps are shown. */

import { openAssistant } from '../../app/assistant.ts'
import type { Assistant, AssistantEvent } from '../../app/assistant.ts'
import { createApp } from '../../app/create-app.ts'
import type { App } from '../../app/create-app.ts'
import { logFile } from '../../app/log-file.ts'
import { announceRisks } from '../../config/index.ts'
import { load } from './load.ts'
import type { Loaded } from './load.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export interface Desk {
  readonly app: App
  readonly assistant: Assistant
  readonly loaded: Loaded
}

export async function withDesk(terminal: Terminal, options: Options, work: (desk: Desk) => Promise<number>): Promise<number> {
  const loaded = load(terminal, options)
  if (options['quiet'] !== true) for (const risk of announceRisks(loaded)) say(terminal, `arrowhead: warning: ${risk}`)
  const app = createApp(loaded.values, { dataDir: loaded.dataDir, log: logFile(loaded.dataDir), replace: { telemetry: null } })
  try {
    return await work({ app, loaded, assistant: openAssistant(app) })
  } finally {
    await app.close()
  }
}

const MAX_ARGS = 160

/** One line for a call that is made, one for what came of it. */
export function stepLine(event: AssistantEvent): string | undefined {
  if (event.is === 'calling') return `  ${event.step}. ${event.tool} ${event.shown.length > MAX_ARGS ? `${event.shown.slice(0, MAX_ARGS)}…` : event.shown}`
  if (event.is !== 'called') return undefined
  return `     ${event.status}${event.status === 'success' ? '' : `: ${event.text.slice(0, MAX_ARGS)}`}`
}
