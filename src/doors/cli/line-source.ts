/**
 * Lines of a terminal, with editing and history where there is one. A line that was typed before it was asked for is
 * no answer: only a pipe is read ahead.
 */

import { createInterface } from 'node:readline'
import type { Terminal } from './terminal.ts'

export interface LineSource {
  /** The next line; undefined when the input has ended, or the time is over. @param timeoutMs @default none */
  next(prompt: string, timeoutMs?: number): Promise<string | undefined>
  /** Writes what belongs above the line that is being typed. */
  readonly isTerminal: boolean
  close(): void
}

const HISTORY = 200
const MAX_AHEAD = 1_000

/** @param onInterrupt hears Ctrl-C, which a terminal in this mode makes no signal of. */
export function openLines({ stdin, stdout, stop }: Terminal, onInterrupt: () => void): LineSource {
  const isTerminal = (stdin as { isTTY?: boolean }).isTTY === true && (stdout as { isTTY?: boolean }).isTTY === true
  const lines = createInterface({ input: stdin, ...(isTerminal && { output: stdout }), terminal: isTerminal, historySize: HISTORY })
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
    else if (!isTerminal && ahead.length < MAX_AHEAD) ahead.push(line)
  })
  lines.on('SIGINT', onInterrupt)
  lines.on('close', () => {
    isOver = true
    settle(undefined)
  })
  const close = (): void => lines.close()
  stop.addEventListener('abort', close, { once: true })
  return {
    isTerminal,
    close() {
      stop.removeEventListener('abort', close)
      close()
    },
    next(prompt, timeoutMs) {
      const line = ahead.shift()
      if (line !== undefined || isOver) return Promise.resolve(line)
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
    },
  }
}
