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

/** The log is false once nobody reads the stream any more. */
export function lineTo(stream: Writable): LineLog {
  let gathered: (string | (() => string))[] = []

  const flush = (): void => {
    const text = gathered.map((line) => (typeof line === 'string' ? line : `${line()}\n`)).join('')
    gathered = []
    if (text !== '' && stream.writable) stream.write(text)
  }

  // The stream of a client that is gone must not end the process.
  stream.on('error', () => void (gathered = []))
  const gather = (line: string | (() => string), now: boolean): boolean => {
    if (!stream.writable) return false
    gathered.push(line)
    if (now) flush()
    else if (gathered.length === 1) setTimeout(flush, GATHER_MS)
    else if (gathered.length === MAX_GATHERED) flush()
    return true
  }

  const log: Log = (line, now = false) => gather(`${line}\n`, now)
  log.later = (line) => gather(line, false)
  return { log, flush }
}
