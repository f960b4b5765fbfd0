/** Reads the trail for people: its newest rows, or rows as they arrive. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../exits/disk/database.ts'
import { openReader } from './open-reader.ts'
import { rowsBehind, rowsHere } from './trail-parts.ts'
import { entryOf, type TrailEntry } from './trail-schema.ts'

const MAX_ROWS = 10_000
const PAGE = 500

export interface ReadTrailOptions {
  readonly file: string
  /** Rows at most, 0 to 10,000. */
  readonly limit: number
  /** Only rows behind this sequence number. */
  readonly afterSeq?: number
}

/** The newest rows, oldest first; none when there is no trail yet. @throws Error when the file is no database. */
export function readTrail({ file, limit, afterSeq = 0 }: ReadTrailOptions): readonly TrailEntry[] {
  const db = openReader(file)
  if (db === undefined) return []
  try {
    const rows = Math.min(Math.max(Math.trunc(limit), 0), MAX_ROWS)
    return rowsHere(db, { seq: afterSeq, limit: rows }, true).map(entryOf).reverse()
  } finally {
    db.close()
  }
}

export interface FollowTrailOptions {
  readonly file: string
  /** Rows behind this sequence number are given; 0 begins at the first. */
  readonly afterSeq: number
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal
  /** Pause between two looks when nothing is new, in milliseconds; 250 unless given. */
  readonly pollMs?: number
}

/**
 * Rows in order as processes write them, until `signal` aborts. Waits for a trail that does not exist yet, and
 * starts at the first row of one that took the place of the file.
 */
export async function* followTrail(options: FollowTrailOptions): AsyncGenerator<TrailEntry, void, undefined> {
  const { file, signal, pollMs = 250 } = options
  let after = options.afterSeq
  let db: Database | undefined
  try {
    while (!signal.aborted) {
      if (db?.stale() === true) {
        db.close()
        db = undefined
        after = 0
      }
      db ??= openReader(file)
      const page = db === undefined ? [] : rowsBehind(db, file, { seq: after, limit: PAGE }).map(entryOf)
      for (const entry of page) {
        if (signal.aborted) return
        yield entry
        after = entry.head.seq
      }
      if (page.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    db?.close()
  }
}
