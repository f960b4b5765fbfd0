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
  /** A line that was begun after the prompt was shown; undefined when the input has ended, or the time is over. */
  answer(prompt: string, timeoutMs: number): Promise<string | undefined>
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
  const settle = (line: string | undefined): void => {
    const take = waiting
    waiting = undefined
    take?.(line)
  }
  lines.on('line', (line) => {
    if (waiting) settle(line)
    else if (!isTty(stdin) && ahead.length < MAX_AHEAD) ahead.push(line)
  })
  lines.on('SIGINT', onInterrupt)
  lines.on('close', () => {
    isOver = true
    settle(undefined)
  })
  const read = (prompt: string, timeoutMs?: number): Promise<string | undefined> => {
    if (isTerminal) {
      lines.setPrompt(prompt)
      lines.prompt()
    }
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(undefined), timeoutMs)
      waiting = (text) => {
        clearTimeout(timer)
        resolve(text)
      }
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
      return line !== undefined || isOver ? Promise.resolve(line) : read(prompt)
    },
    async answer(prompt, timeoutMs) {
      if (!isTerminal) return this.next(prompt)
      // What the terminal still holds arrives, and nobody waits for it.
      await pause(DROP_MS)
      lines.setPrompt('')
      for (const name of ['e', 'u']) lines.write('', { ctrl: true, name })
      return isOver ? undefined : read(prompt, timeoutMs)
    },
  }
}

const DROP_MS = 60

const isTty = (stream: object): boolean => (stream as { isTTY?: boolean }).isTTY === true
