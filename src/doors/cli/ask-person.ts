/**
 * Puts a call's question to whoever sits at the terminal. Only a typed yes is one: an empty line, anything else,
 * the end of input and a stop are a no, and where there is no terminal nobody is asked.
 */

import type { Arrival } from '../../kernel/call.ts'
import type { Question, Questions, Replies } from '../../kernel/question.ts'
import { say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const YES = /^\s*y(?:es)?\s*$/i
const MAX_LINE = 1_000

/** What a call from this terminal can be asked; nothing where a person cannot see the question and answer it. */
export function askable(terminal: Terminal, timeoutMs: number): Pick<Arrival, 'capabilities' | 'ask'> {
  const { stdin, stderr } = terminal as { stdin: { isTTY?: boolean }; stderr: { isTTY?: boolean } }
  if (stdin.isTTY !== true || stderr.isTTY !== true) return {}
  return { capabilities: { elicitation: { form: {} } }, ask: (questions) => askPerson(terminal, questions, timeoutMs) }
}

/** @param timeoutMs how long a person may take; no answer by then is a no. */
export async function askPerson(terminal: Terminal, questions: Questions, timeoutMs: number): Promise<Replies> {
  const replies: Record<string, unknown> = {}
  for (const [name, question] of Object.entries(questions)) replies[name] = await answerTo(terminal, question, timeoutMs)
  return replies
}

/** A form of one flag is a yes or no; nothing else can be filled in here. */
async function answerTo(terminal: Terminal, { method, params }: Question, timeoutMs: number): Promise<unknown> {
  const { properties = {} } = (params['requestedSchema'] ?? {}) as { properties?: Readonly<Record<string, { type?: unknown }>> }
  const [[flag, schema] = ['', {}], ...others] = Object.entries(properties)
  if (method !== 'elicitation/create' || schema.type !== 'boolean' || others.length > 0) return { action: 'cancel' }
  say(terminal, String(params['message']))
  return YES.test(await typed(terminal, 'Approve? [y/N] ', timeoutMs)) ? { action: 'accept', content: { [flag]: true } } : { action: 'decline' }
}

/** One whole line, or nothing when the input ends before its end, time is over, or the process is asked to stop. */
export function typed({ stdin, stderr, stop }: Terminal, prompt: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    let line = ''
    const done = (text: string): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', nothing)
      stdin.off('data', more).off('end', nothing).pause()
      resolve(text)
    }
    const nothing = (): void => done('')
    const more = (chunk: Buffer | string): void => {
      line += String(chunk)
      const end = line.indexOf('\n')
      if (end >= 0) done(line.slice(0, end))
      else if (line.length > MAX_LINE) nothing()
    }
    const timer = setTimeout(nothing, timeoutMs)
    stop.addEventListener('abort', nothing, { once: true })
    stderr.write(prompt)
    stdin.on('data', more).on('end', nothing)
    if (stop.aborted) nothing()
  })
}
