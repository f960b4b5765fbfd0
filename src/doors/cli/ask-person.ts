/**
 * Puts a call's question to whoever sits at the terminal. Only a yes that was typed after the question was shown is one:
 * an empty line, anything else, the end of input and a stop are a no, and where there is no terminal nobody is asked.
 */

import { setTimeout as pause } from 'node:timers/promises'
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
  return { capabilities: { elicitation: { form: {} } }, ask: (questions) => askPerson(terminal, questions, (prompt) => typed(terminal, prompt, timeoutMs)) }
}

/** @param typed one line that a person types after the prompt; an empty one is a no. */
export async function askPerson(terminal: Terminal, questions: Questions, typed: (prompt: string) => Promise<string>): Promise<Replies> {
  const replies: Record<string, unknown> = {}
  for (const [name, question] of Object.entries(questions)) replies[name] = await answerTo(terminal, question, typed)
  return replies
}

/** A form of one flag is a yes or no; nothing else can be filled in here. */
async function answerTo(terminal: Terminal, { method, params }: Question, typed: (prompt: string) => Promise<string>): Promise<unknown> {
  const { properties = {} } = (params['requestedSchema'] ?? {}) as { properties?: Readonly<Record<string, { type?: unknown }>> }
  const [[flag, schema] = ['', {}], ...others] = Object.entries(properties)
  if (method !== 'elicitation/create' || schema.type !== 'boolean' || others.length > 0) return { action: 'cancel' }
  say(terminal, String(params['message']))
  return YES.test(await typed('Approve? [y/N] ')) ? { action: 'accept', content: { [flag]: true } } : { action: 'decline' }
}

/** Long enough for what the terminal holds back to arrive. */
const DROP_MS = 60
const INTERRUPT = '\u0003'

/**
 * Takes away what was typed before now, a line that is not ended yet as well: nobody can have meant it for a question
 * that they had not seen. @returns false where it holds an interrupt, which a terminal in this mode makes no signal of.
 */
export async function dropTypedAhead(stdin: Terminal['stdin']): Promise<boolean> {
  const terminal = stdin as Terminal['stdin'] & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  if (terminal.isTTY !== true || terminal.setRawMode === undefined) return true
  let dropped = ''
  const drop = (chunk: Buffer | string): void => void (dropped += String(chunk))
  terminal.setRawMode(true)
  stdin.on('data', drop)
  await pause(DROP_MS)
  stdin.off('data', drop).pause()
  terminal.setRawMode(false)
  return !dropped.includes(INTERRUPT)
}

/** One whole line, or nothing when the input ends before its end, time is over, or the process is asked to stop. */
export async function typed(terminal: Terminal, prompt: string, timeoutMs: number): Promise<string> {
  return (await dropTypedAhead(terminal.stdin)) ? line(terminal, prompt, timeoutMs) : ''
}

function line({ stdin, stderr, stop }: Terminal, prompt: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const done = (text: string): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', nothing)
      stdin.off('data', more).off('end', nothing).pause()
      resolve(text)
    }
    const nothing = (): void => done('')
    const more = (chunk: Buffer | string): void => {
      said += String(chunk)
      const end = said.indexOf('\n')
      if (end >= 0) done(said.slice(0, end))
      else if (said.length > MAX_LINE) nothing()
    }
    const timer = setTimeout(nothing, timeoutMs)
    stop.addEventListener('abort', nothing, { once: true })
    stderr.write(prompt)
    stdin.on('data', more).on('end', nothing).resume()
    if (stop.aborted) nothing()
  })
}
