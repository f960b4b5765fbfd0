/**
 * One open trail file: appends batches to the chain, in one transaction each, beside any number of processes.
 */

import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { AUDIT_COLUMN_NAMES, type AuditKey, genesisHash, rowHash } from './hash-chain.ts'
import { storableRow } from './storable-row.ts'
import { ensureSchema, headOf, INSERT_ENTRY, SELECT_HEAD, UPSERT_HEAD } from './trail-schema.ts'

export interface TrailStore {
  /** Appends rows in order, all or none. @throws Error of the database, `SQLITE_BUSY` after five seconds. */
  append(rows: readonly AuditRow[]): TrailHead
  /** Whether the file under this store was deleted or replaced. */
  stale(): boolean
  close(): void
}

/** Opens a trail, creating it when it is missing. @throws Error when it cannot be written, or has another key. */
export function openTrailStore(file: string, key?: AuditKey): TrailStore {
  const db = openDatabase(file)
  const genesis = genesisHash(key)
  try {
    db.transaction('immediate', () => {
      ensureSchema(db)
      const first = db.get('SELECT prev FROM audit WHERE seq = 1')
      // Rows under two keys would make a chain that no key verifies.
      if (first !== undefined && first['prev'] !== genesis) throw new Error('the audit trail has another key')
    })
  } catch (error) {
    db.close()
    throw error
  }

  const appendOne = (last: TrailHead, row: AuditRow): TrailHead => {
    const stored = storableRow(row)
    const seq = last.seq + 1
    const hash = rowHash(last.hash, seq, stored, key)
    db.run(INSERT_ENTRY, seq, ...AUDIT_COLUMN_NAMES.map((name) => stored[name]), last.hash, hash)
    return { seq, hash }
  }

  return {
    append: (rows) =>
      // Other processes append too, so the head is only known once the write lock is held.
      db.transaction('immediate', () => {
        const start = headOf(db.get(SELECT_HEAD)) ?? { seq: 0, hash: genesis }
        const head = rows.reduce(appendOne, start)
        db.run(UPSERT_HEAD, head.seq, head.hash)
        return head
      }),
    stale: () => db.stale(),
    close: () => db.close(),
  }
}
