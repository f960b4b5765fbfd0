/** How far long work is, on one line of standard error: on a terminal alone, and never where the answer is JSON. */

import { folded, shown } from '../../kernel/terminal-text.ts'
import type { Terminal } from './terminal.ts'

export interface Progress {
  /**
   * Says how much is done, of how much where that is known, and what goes on. Costs nothing when it was said a moment
   * ago. What label and message have for a terminal is taken out.
   */
  at(done: number, total?: number, message?: string): void
  /** Takes the line away. */
  end(): void
}

/** Time between two lines: faster is flicker. */
const PAUSE_MS = 80
const BAR = 24
const COLUMNS = 80
const CLEAR = '\r\u001b[2K'
const SILENT: Progress = { at: () => {}, end: () => {} }

/** @param now milliseconds of any clock that only goes forward. */
export function openProgress({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>, label: string, { json = false, now = () => performance.now() }: { readonly json?: boolean; readonly now?: () => number } = {}): Progress {
  if (json || (stderr as { isTTY?: boolean }).isTTY !== true || env['TERM'] === 'dumb') return SILENT
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    at(done, total, message) {
      const at = now()
      if (at - saidAt < PAUSE_MS) return
      saidAt = at
      const share = total === undefined || total <= 0 ? done.toLocaleString('en-US') : barOf(Math.min(done / total, 1))
      const width = widthOf(stderr) - 1
      const [name = ''] = folded(shown(label), width - share.length - 1)
      const [line = ''] = folded(`${name} ${share}${message === undefined ? '' : ` ${shown(message)}`}`, width)
      stderr.write(`${CLEAR}${line}`)
    },
    end: () => void (saidAt > Number.NEGATIVE_INFINITY && stderr.write(CLEAR)),
  }
}

/** Runs work with a line that goes away whatever becomes of it. */
export async function withProgress<T>(progress: Progress, work: (at: Progress['at']) => T | Promise<T>): Promise<T> {
  try {
    return await work(progress.at)
  } finally {
    progress.end()
  }
}

/** A line that is broken into two would leave one behind each time. */
const widthOf = (stderr: object): number => (stderr as { columns?: number }).columns || COLUMNS

const barOf = (share: number): string => {
  const full = Math.round(share * BAR)
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}
