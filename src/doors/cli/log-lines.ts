/** Log lines on a stream: those of a moment are one write, because a write each costs more than the call. */

import type { Writable } from 'node:stream'
import type { Log } from '../../app/ports.ts'

export interface LineLog {
  readonly log: Log
  /** Writes what was gathered. Called last, before the process ends. */
  flush(): void
}

/** The longest wait of a line, and the most lines that wait. */
const [GATHER_MS, MAX_GATHERED] = [20, 256]

interface Pending {
  readonly lineOf: (of: never) => string
  readonly of: unknown
}

const same = (line: string): string => line

/** Nobody could catch what is thrown when a timer writes. */
function spelled({ lineOf, of }: Pending): string {
  try {
    return `${lineOf(of as never)}\n`
  } catch {
    return ''
  }
}

/** The log is false once nobody reads the stream any more. */
export function lineTo(stream: Writable): LineLog {
  let gathered: Pending[] = []

  const flush = (): void => {
    const lines = gathered.map(spelled)
    gathered = []
    if (lines.length > 0 && stream.writable) stream.write(lines.join(''))
  }

  // The stream of a client that is gone must not end the process.
  stream.on('error', () => void (gathered = []))

  const gather = <Of>(lineOf: (of: Of) => string, of: Of): boolean => {
    if (!stream.writable) return false
    gathered.push({ lineOf, of })
    if (gathered.length === 1) setTimeout(flush, GATHER_MS)
    else if (gathered.length === MAX_GATHERED) flush()
    return true
  }

  const log: Log = (line, now = false) => {
    const isTaken = gather(same, line)
    if (now) flush()
    return isTaken
  }
  log.later = gather
  return { log, flush }
}
