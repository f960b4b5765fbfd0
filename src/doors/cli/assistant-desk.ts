/** What the commands of the assistant have in common: an app with its assistant, and how steps are shown. */

import { resolve } from 'node:path'
import { openAssistant } from '../../app/assistant.ts'
import type { Assistant, AssistantEvent } from '../../app/assistant.ts'
import { createApp } from '../../app/create-app.ts'
import type { App } from '../../app/create-app.ts'
import { openKept } from '../../app/kept-sessions.ts'
import type { Kept } from '../../app/kept-sessions.ts'
import { logFile } from '../../app/log-file.ts'
import type { AppOptions } from '../../app/ports.ts'
import { announce } from './announce.ts'
import { loadForAssistant } from './load.ts'
import type { Loaded } from './load.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export interface Desk {
  readonly app: App
  readonly assistant: Assistant
  readonly loaded: Loaded
  readonly kept: Kept
}

export async function withDesk(terminal: Terminal, options: Options, work: (desk: Desk) => Promise<number>): Promise<number> {
  const loaded = loadForAssistant(terminal, options)
  if (options['quiet'] !== true) announce(terminal, loaded)
  const app = createApp(loaded.values, { ...appOptions(terminal, loaded), log: logFile(loaded.dataDir), replace: { telemetry: null } })
  try {
    const { cwd = '.' } = options
    const kept = openKept(app, loaded.dataDir, resolve(terminal.cwd, String(cwd)))
    try {
      return await work({ app, loaded, kept, assistant: openAssistant(app, { kept }) })
    } finally {
      kept.close()
    }
  } finally {
    await app.close()
  }
}

/** Where this terminal stands, and what on its disk is the program's own. */
export const appOptions = ({ home, cwd }: Terminal, { dataDir, engineEnv, config }: Loaded): AppOptions =>
  ({ home, cwd, dataDir, engineEnv, ...(config && { configFile: config.file }) })

const MAX_ARGS = 160

/** One line for a call that is made, one for what came of it. */
export function stepLine(event: AssistantEvent): string | undefined {
  if (event.is === 'calling') return `  ${event.step}. ${event.tool} ${event.shown.length > MAX_ARGS ? `${event.shown.slice(0, MAX_ARGS)}…` : event.shown}`
  if (event.is !== 'called') return undefined
  return `     ${event.status}${event.status === 'success' ? '' : `: ${event.text.slice(0, MAX_ARGS)}`}`
}
