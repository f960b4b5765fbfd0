/**
 * The line to the person at the terminal: a panel of what would be done, and `Proceed? [y/N]`. Only a typed yes is
 * one. What was agreed to for the session covers that exact call alone; `--yes` covers CONFIRM and nothing above.
 */

import type { Arrival } from '../../kernel/call.ts'
import type { Panel } from '../../kernel/panel.ts'
import type { Questions, Replies } from '../../kernel/question.ts'
import type { Effect } from '../../kernel/tool.ts'
import { folded } from '../../kernel/terminal-text.ts'
import { askPerson } from './ask-person.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export interface ConsentLine {
  readonly terminal: Terminal
  /** Whether `--yes` was given. */
  readonly yes: boolean
  readonly timeoutMs: number
  /** One typed line, or an empty one when the input ends or time is over. */
  readonly typed: (prompt: string, timeoutMs: number) => Promise<string>
  /** Scopes that a person agreed to for the session; absent where nothing is remembered. */
  readonly remembered?: Set<string>
}

const YES = /^\s*y(?:es)?\s*$/i
const ALWAYS = /^\s*a(?:lways)?\s*$/i

/** What a call from this terminal can be asked; nothing where neither a person nor `--yes` can answer. */
export function consentLine(line: ConsentLine): Pick<Arrival, 'capabilities' | 'ask'> {
  const { terminal, yes, timeoutMs } = line
  const isPerson = isTty(terminal.stdin) && isTty(terminal.stderr)
  if (!isPerson && !yes) return {}
  return {
    capabilities: { elicitation: { form: {} } },
    async ask(questions, panel) {
      if (panel === undefined) return isPerson ? askPerson(terminal, questions, (prompt) => line.typed(prompt, timeoutMs)) : replies(questions, false)
      const agreed = line.remembered?.has(panel.scope) === true || (yes && panel.level === 'CONFIRM') || (isPerson && (await proceed(line, panel)))
      return replies(questions, agreed)
    },
  }
}

const isTty = (stream: object): boolean => (stream as { isTTY?: boolean }).isTTY === true

const replies = (questions: Questions, agreed: boolean): Replies =>
  Object.fromEntries(Object.keys(questions).map((name) => [name, agreed ? { action: 'accept', content: { approve: true } } : { action: 'decline' }]))

async function proceed({ terminal, typed, timeoutMs, remembered }: ConsentLine, panel: Panel): Promise<boolean> {
  say(terminal, panelText(panel, (terminal.stderr as { columns?: number }).columns || undefined))
  // What is restricted is agreed to each time.
  const offers = remembered !== undefined && panel.level === 'CONFIRM'
  const said = await typed(offers ? 'Proceed? [y/N] (a: also for this exact call later on) ' : 'Proceed? [y/N] ', timeoutMs)
  const always = offers && ALWAYS.test(said)
  if (always) remembered.add(panel.scope)
  return always || YES.test(said)
}

const RISKS: Readonly<Record<Effect, string>> = {
  read: 'nothing changes; what it returns is shown to the model',
  create: 'something new is made',
  replace: 'what stands there now is replaced',
  delete: 'what stands there now is gone afterwards',
  execute: 'a program runs as you',
}

/** @param columns of the terminal; one that does not know has none. */
export function panelText({ tool, title, level, effect, targets, args, change, reason }: Panel, columns = 80): string {
  const rows = [
    ['Action', `${title} (${tool})`],
    ...targets.map((target) => ['Target', target]),
    ...(args === '{}' ? [] : [['Arguments', args]]),
    ['Reason', reason],
    ['Risk', `${level}: ${RISKS[effect]}`],
  ]
  const lines = rows.map(([name = '', text = '']) => `  ${name.padEnd(INDENT - 2)}${folded(text, columns - INDENT).join(`\n${' '.repeat(INDENT)}`)}`)
  // What a terminal breaks begins where the name of a row would.
  const [head = '', ...text] = change?.replace(/\n$/, '').split('\n') ?? []
  return ['', ...lines, ...(change === undefined ? [] : ['', `  ${head}`, ...text.flatMap((line) => folded(line, columns - MARK.length)).map((line) => `${MARK}${line}`)])].join('\n')
}

/** Stands before each line of what is in a file: it could look like a panel of its own, below this one. */
const MARK = '  | '

const INDENT = 13
