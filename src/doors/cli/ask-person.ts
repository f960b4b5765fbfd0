/**
 * Puts a call's question to whoever sits at the terminal. Only a typed yes is one: an empty line, anything else,
 * the end of input and a stop are a no, and where there is no terminal nobody is asked.
 */

import { createInterface } from 'node:readline'
import type { Arrival } from '../../kernel/call.ts'
import type { Question, Questions, Replies } from '../../kernel/question.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const YES = /^\s*y(?:es)?\s*$/i

/** What a call from this terminal can be asked; nothing where a person cannot see the question and answer it. */
export function askable(terminal: Terminal): Pick<Arrival, 'capabilities' | 'ask'> {
  const { stdin, stderr } = terminal as { stdin: { isTTY?: boolean }; stderr: { isTTY?: boolean } }
  if (stdin.isTTY !== true || stderr.isTTY !== true) return {}
  return { capabilities: { elicitation: { form: {} } }, ask: (questions) => askPerson(terminal, questions) }
}

export async function askPerson(terminal: Terminal, questions: Questions): Promise<Replies> {
  const replies: Record<string, unknown> = {}
  for (const [name, question] of Object.entries(questions)) replies[name] = await answerTo(terminal, question)
  return replies
}

/** A form of one flag is a yes or no; nothing else can be filled in here. */
async function answerTo(terminal: Terminal, { method, params }: Question): Promise<unknown> {
  const { properties = {} } = (params['requestedSchema'] ?? {}) as { properties?: Readonly<Record<string, { type?: unknown }>> }
  const [[flag, schema] = ['', {}], ...others] = Object.entries(properties)
  if (method !== 'elicitation/create' || schema.type !== 'boolean' || others.length > 0) return { action: 'cancel' }
  say(terminal, String(params['message']))
  return YES.test(await typed(terminal, 'Approve? [y/N] ')) ? { action: 'accept', content: { [flag]: true } } : { action: 'decline' }
}

/** One line, or nothing when the input ends or the process is asked to stop. */
function typed({ stdin, stderr, stop }: Terminal, prompt: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  return new Promise((resolve) => {
    const done = (line: string): void => {
      stop.removeEventListener('abort', stopped)
      resolve(line)
      lines.close()
    }
    const stopped = (): void => done('')
    stop.addEventListener('abort', stopped, { once: true })
    lines.once('line', done)
    lines.once('close', stopped)
    stderr.write(prompt)
  })
}
