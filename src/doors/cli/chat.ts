/** `chat`: a conversation with the assistant, line by line. Commands begin with a slash; everything else is a request. */

import { setTimeout as sleep } from 'node:timers/promises'
import { createConversation, openAssistant } from '../../app/assistant.ts'
import type { Conversation } from '../../app/assistant.ts'
import { auditReader } from '../../app/audit-reader.ts'
import { levelInForce } from '../../app/lowered-levels.ts'
import { resumeSession } from '../../app/resume-session.ts'
import { still } from '../../kernel/terminal-text.ts'
import { stepLine, withDesk } from './assistant-desk.ts'
import type { Desk } from './assistant-desk.ts'
import { consentLine } from './consent-line.ts'
import { openLines } from './line-source.ts'
import type { LineSource } from './line-source.ts'
import { attempt, column } from './logs.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { attemptUndo, reportText } from './undo.ts'

type Options = Readonly<Record<string, unknown>>

const HELP = `Ask for something, or:
  /help   this list
  /tools  what the assistant may choose from
  /logs   the newest calls
  /undo   take back what the last request that changed files changed
  /clear  forget this conversation
  /exit   leave (so does Ctrl-D; Ctrl-C stops a request)`

interface Session extends Desk {
  readonly terminal: Terminal
  readonly options: Options
  conversation: Conversation
  readonly lines: LineSource
  /** Exact calls that a person agreed to until the session ends. */
  readonly remembered: Set<string>
  /** Requests that were made here, the first first. */
  readonly requests: string[]
}

export function chat(terminal: Terminal, options: Options): Promise<number> {
  return withDesk(terminal, options, async (desk) => {
    let running: AbortController | undefined
    const lines = openLines(terminal, () => (running ? running.abort() : lines.close()))
    const { session: id } = options
    const earlier = typeof id === 'string' ? await resumeSession(desk.kept, id) : undefined
    const assistant = earlier ? openAssistant(desk.app, { kept: earlier.kept }) : desk.assistant
    const session: Session = { ...desk, assistant, terminal, options, lines, conversation: earlier?.conversation ?? createConversation(), remembered: new Set(), requests: [] }
    if (lines.isTerminal) say(terminal, 'Ask for something; /help lists the commands.')
    for (let line = await lines.next('> '); line !== undefined; line = await lines.next('> ')) {
      const text = line.trim()
      if (text === '/exit' || text === '/quit') break
      if (text === '') continue
      if (text.startsWith('/')) {
        await command(session, text)
        continue
      }
      running = new AbortController()
      await request(session, text, AbortSignal.any([running.signal, terminal.stop]))
      running = undefined
    }
    lines.close()
    return EXIT.ok
  })
}

async function request({ terminal, options, assistant, conversation, lines, remembered, requests, loaded }: Session, text: string, signal: AbortSignal): Promise<void> {
  const typed = async (prompt: string, timeoutMs: number): Promise<string> => (await lines.answer(prompt, { timeoutMs, signal })) ?? ''
  const ended = await assistant.ask({
    text, conversation, signal,
    arrival: { door: 'cli', ...consentLine({ terminal, typed, remembered, yes: options['yes'] === true, timeoutMs: loaded.values.askTimeoutSeconds * 1000 }) },
    onEvent(event) {
      if (event.is === 'text') terminal.stdout.write(still(event.text))
      const line = options['quiet'] === true ? undefined : stepLine(event)
      if (line !== undefined) say(terminal, line)
    },
  })
  requests.push(ended.request)
  print(terminal, '')
  if (ended.is === 'stopped') say(terminal, `arrowhead: stopped: ${ended.says}`)
}

const LOG_ROWS = 10

async function command(session: Session, text: string): Promise<void> {
  const { terminal, app, loaded, remembered } = session
  switch (text) {
    case '/help':
      return print(terminal, HELP)
    case '/tools': {
      const tools = app.registry.enabled.filter(({ list, scope }) => list === 'tools' && app.local.scopes.has(scope))
      const levelOf = levelInForce(app.settings)
      return print(terminal, tools.map(({ name, component }) => `${name.padEnd(22)} ${levelOf(name, component.level).padEnd(10)} ${component.title}`).join('\n'))
    }
    case '/logs': {
      // Rows of reads are written together, a moment later.
      await sleep(loaded.values.auditFlushMs * 2)
      const rows = attempt(() => auditReader(loaded.values, loaded.dataDir).newest(LOG_ROWS))
      return print(terminal, typeof rows === 'string' ? rows : rows.map(column).join('\n'))
    }
    case '/undo':
      return print(terminal, await undone(session))
    case '/clear':
      session.conversation = createConversation()
      remembered.clear()
      return print(terminal, 'forgotten')
    default:
      return print(terminal, 'no such command; /help lists them')
  }
}

/** The newest request of this conversation that changed files; other conversations have requests of their own. */
async function undone({ app, loaded, requests }: Session): Promise<string> {
  const kept = new Set((await app.undo.runs().catch(() => [])).map(({ run }) => run))
  const run = requests.findLast((request) => kept.has(request))
  if (run === undefined) return 'no request of this conversation changed files; `arrowhead undo --list` shows those of others'
  const report = await attemptUndo(app, loaded, run)
  return typeof report === 'string' ? report : reportText(report)
}
