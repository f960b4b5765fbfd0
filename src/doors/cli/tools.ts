/** `tools list`, `tools show`, `tools call`: the catalogue, and one guarded call. */

import { createApp } from '../../app/create-app.ts'
import type { App } from '../../app/create-app.ts'
import type { Outcome } from '../../kernel/call.ts'
import { refusalText } from '../../kernel/refusal.ts'
import { listingTokens } from '../../app/listing-tokens.ts'
import { readObject } from '../mcp/message.ts'
import { askable } from './ask-person.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

async function withApp(terminal: Terminal, options: Options, work: (app: App) => number | Promise<number>): Promise<number> {
  const { values, dataDir, engineEnv } = load(terminal, options)
  const app = createApp(values, { dataDir, engineEnv, replace: { telemetry: null } })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** Listed through the chain, like by any client, so that it leaves a record; the scope is for the operator's eyes. */
async function toolsOf(app: App): Promise<readonly Entry[]> {
  const outcome = await app.dispatch({ kind: 'listing', of: 'tools' }, app.local, { door: 'cli' })
  if (outcome.is !== 'ok') return []
  const listed = new Set((outcome.answer.value['items'] as readonly { name: string }[]).map(({ name }) => name))
  return app.registry.enabled.filter(({ list, name }) => list === 'tools' && listed.has(name))
}

type Entry = App['registry']['enabled'][number]

export const listTools = (terminal: Terminal, options: Options): Promise<number> =>
  withApp(terminal, options, async (app) => {
    const entries = await toolsOf(app)
    const tokens = await listingTokens(entries.map(({ listed }) => listed()))
    const about = entries.map(({ name, scope, component: { level, perMinute } }, at) => ({ name, scope, level, perMinute, tokens: tokens[at] ?? 0 }))
    if (options['json'] === true) print(terminal, JSON.stringify({ tools: entries.map(({ listed }) => listed()), about }, null, 2))
    else for (const [at, one] of about.entries()) print(terminal, `${rowOf(one)} ${String(entries[at]?.listed()['title'])}`)
    return EXIT.ok
  })

interface About {
  readonly name: string
  readonly scope: string
  readonly level: string
  /** Calls a minute of one caller. */
  readonly perMinute: number
  /** What its entry in the list costs a model. */
  readonly tokens: number
}

const rowOf = ({ name, scope, level, perMinute, tokens }: About): string =>
  `${name.padEnd(22)} ${scope.padEnd(16)} ${level.padEnd(10)} ${`${perMinute}/min`.padStart(8)} ${`${tokens} tokens`.padStart(10)} `

export const showTool = (terminal: Terminal, options: Options, [name = '']: readonly string[]): Promise<number> =>
  withApp(terminal, options, async (app) => {
    const entry = (await toolsOf(app)).find((one) => one.name === name)
    if (!entry) return unknown(terminal)
    const { component, listed, scope } = entry
    const { level, effect, perMinute } = component
    print(terminal, JSON.stringify({ ...listed(), scope, level, effect, perMinute }, null, 2))
    return EXIT.ok
  })

export function callTool(terminal: Terminal, options: Options, [name = '', json = '{}']: readonly string[]): Promise<number> {
  const args = parse(json)
  if (args === undefined) {
    say(terminal, `arrowhead: the arguments must be one JSON object that names nothing twice, such as '{"expression":"2+2"}'`)
    return Promise.resolve(EXIT.usage)
  }
  return withApp(terminal, options, async (app) => {
    const outcome = await withProgress(openProgress(terminal, 'working'), (progress) => app.dispatch({ kind: 'tool', name, args }, app.local, { door: 'cli', signal: terminal.stop, progress, ...askable(terminal, app.settings.askTimeoutSeconds * 1000) }))
    return show(terminal, outcome)
  })
}

function show(terminal: Terminal, outcome: Outcome): number {
  switch (outcome.is) {
    case 'ok':
      print(terminal, JSON.stringify(outcome.answer.value, null, 2))
      return EXIT.ok
    case 'refused':
      say(terminal, `arrowhead: ${refusalText(outcome.refusal)}`)
      return EXIT.refused
    case 'fault':
      say(terminal, `arrowhead: internal error (incident ${outcome.incident})`)
      return EXIT.fault
    case 'ask':
      say(terminal, 'arrowhead: the call asks a question that this command cannot answer')
      return EXIT.refused
    case 'task':
      print(terminal, JSON.stringify({ taskId: outcome.task.taskId }))
      return EXIT.ok
  }
}

function unknown(terminal: Terminal): number {
  say(terminal, 'arrowhead: no such tool; `arrowhead tools list` shows what this configuration serves')
  return EXIT.refused
}

function parse(json: string): object | undefined {
  const read = readObject(json)
  return 'value' in read ? read.value : undefined
}
