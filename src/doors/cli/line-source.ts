/**
 * Lines of a terminal, with editing and history where there is one. What was typed before a question was shown is no
 * answer to it: only a pipe is read ahead.
 */

import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

export interface LineSource {
  /** The next line; undefined when the input has ended. */
  next(prompt: string): Promise<string | undefined>
  /** A line that was begun after the prompt was shown; undefined when the input has ended, the time is over, or the question is off. */
  answer(prompt: string, asked: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<string | undefined>
  /** Writes what belongs above the line that is being typed. */
  readonly isTerminal: boolean
  close(): void
}

const HISTORY = 200
const MAX_AHEAD = 1_000

/** @param onInterrupt hears Ctrl-C, which a terminal in this mode makes no signal of. */
export function openLines({ stdin, stdout, stderr, stop }: Terminal, onInterrupt: () => void): LineSource {
  // Where only the answers go to a file, what is typed is shown beside them.
  const output = [stdout, stderr].find(isTty)
  const isTerminal = isTty(stdin) && output !== undefined
  const lines = createInterface({ input: stdin, ...(isTerminal && { output }), terminal: isTerminal, historySize: HISTORY })
  const ahead: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let isOver = false
  let lost = 0
  lines.on('line', (line) => {
    if (waiting) waiting(line)
    else if (!isTty(stdin) && ahead.length < MAX_AHEAD) ahead.push(line)
    else if (line.trim() !== '') lost += 1
  })
  lines.on('SIGINT', onInterrupt)
  // Whoever put it aside and comes back finds it paused.
  lines.on('SIGCONT', () => (waiting ? lines.prompt(true) : lines.resume()))
  lines.on('close', () => {
    isOver = true
    waiting?.(undefined)
  })
  const read = (prompt: string, timeoutMs?: number, signal?: AbortSignal): Promise<string | undefined> => {
    if (isTerminal) {
      lines.setPrompt(prompt)
      lines.prompt()
    }
    return new Promise((resolve) => {
      // A question that is over must take no line, and no end, from the one that is asked after it.
      const take = (text: string | undefined): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', nothing)
        if (waiting === take) waiting = undefined
        resolve(text)
      }
      const nothing = (): void => take(undefined)
      const timer = timeoutMs === undefined ? undefined : setTimeout(nothing, timeoutMs)
      signal?.addEventListener('abort', nothing, { once: true })
      waiting = take
    })
  }
  const close = (): void => lines.close()
  stop.addEventListener('abort', close, { once: true })
  return {
    isTerminal,
    close() {
      stop.removeEventListener('abort', close)
      close()
    },
    next(prompt) {
      const line = ahead.shift()
      if (lost > 0) stderr.write(`arrowhead: not taken, because it came before the last answer: ${lost} ${lost === 1 ? 'line' : 'lines'}\n`)
      lost = 0
      return line !== undefined || isOver ? Promise.resolve(line) : read(prompt)
    },
    async answer(prompt, { timeoutMs, signal }) {
      if (!isTerminal) return this.next(prompt)
      // What the terminal still holds arrives, and nobody waits for it.
      await pause(DROP_MS)
      // The line that is typed by now is for the question after this one.
      if (isOver || signal.aborted) return undefined
      lines.setPrompt('')
      for (const name of ['e', 'u']) lines.write('', { ctrl: true, name })
      return read(prompt, timeoutMs, signal)
    },
  }
}

const DROP_MS = 60

const isTty = (stream: object): boolean => (stream as { isTTY?: boolean }).isTTY === true
