/** What a command may use of the process: streams, environment, exit code. Handed in, so that tests need no process. */

import type { Readable, Writable } from 'node:stream'
import { still } from '../../kernel/terminal-text.ts'

export interface Terminal {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: string
  /** What starts this program again: the command and its first arguments, absolute. Undefined: `arrowhead`. */
  readonly self?: readonly string[]
  /** Aborts when the process is asked to stop. */
  readonly stop: AbortSignal
  parent(): number
}

/** Exit codes: 0 done, 1 refused or not in order, 2 used wrongly, then sysexits.h for the rest. */
export const EXIT = { ok: 0, refused: 1, usage: 2, fault: 70, config: 78 } as const

// Names of files, other programs' files and a model's arguments are among what is printed, as text and as JSON.
export const print = ({ stdout }: Terminal, text: string): void => void stdout.write(`${still(text)}\n`)
export const say = ({ stderr }: Terminal, text: string): void => void stderr.write(`${still(text)}\n`)
