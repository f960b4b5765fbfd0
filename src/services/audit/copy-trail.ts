/**
 * A second place for the trail: what is in the file is copied to a server, row by row and hash by hash, from where the
 * copy ends. An outage delays it and loses nothing, and each chain can be verified there as in the file.
 */

import type { Database } from '../../exits/disk/database.ts'
import { get, run } from '../../kernel/ports/store.ts'
import type { Steps, Store } from '../../kernel/ports/store.ts'
import { openReader } from './open-reader.ts'
import type { StoredEntry } from './packed-rows.ts'
import { beginningOf, rowsBehind } from './trail-parts.ts'

export interface CopyTrailOptions {
  /** The file that is copied. */
  readonly file: string
  readonly store: Store
  /** Told of the first failure after a success. */
  readonly onError: (error: unknown) => void
  /** Pause between two looks. @default 1,000 */
  readonly everyMs?: number
}

export interface TrailCopy {
  /** Copies what is there, stops looking, and lets the file go. */
  close(): Promise<void>
}

const EVERY_MS = 1_000
const AT_ONCE = 500
const LAST = 'SELECT max(seq) AS seq FROM audit WHERE chain = ?'
const ADD = `INSERT INTO audit SELECT CAST(? AS text), added.* FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[])) AS added
  ON CONFLICT DO NOTHING`

export function copyTrail({ file, store, onError, everyMs = EVERY_MS }: CopyTrailOptions): TrailCopy {
  let db: Database | undefined
  /** Which chain the file holds, and the last row of it that the server has. */
  let copied: { readonly chain: string; seq: number } | undefined
  let [isFailing, isClosed] = [false, false]

  const copy = async (): Promise<void> => {
    if (db?.stale() === true) {
      db.close()
      ;[db, copied] = [undefined, undefined]
    }
    db ??= openReader(file)
    const chain = db && beginningOf(db)?.hash
    if (db === undefined || chain === undefined) return
    copied ??= { chain, seq: Number((await store.use('read', () => get(LAST, chain)))?.['seq'] ?? 0) }
    for (;;) {
      const rows = rowsBehind(db, file, { seq: copied.seq, limit: AT_ONCE })
      const last = rows.at(-1)
      if (last === undefined) return
      await store.use('write', () => add(chain, rows))
      copied.seq = last.head.seq
    }
  }
  const look = async (): Promise<void> => {
    try {
      await copy()
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    }
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, everyMs)
  timer.unref()
  return {
    async close() {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      await looking
      await look()
      db?.close()
    },
  }
}

function* add(chain: string, rows: readonly StoredEntry[]): Steps<void> {
  yield* run(ADD, chain, rows.map(({ head }) => head.seq), rows.map(({ body }) => body), rows.map(({ prev }) => prev), rows.map(({ head }) => head.hash))
}
