/**
 * One open trail file: appends batches to the chain, in one transaction each, beside any number of processes.
 */

import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { canonicalRow } from './canonical-row.ts'
import { type AuditKey, createHashChain } from './hash-chain.ts'
import { ensureSchema, headOf, insertEntries, MAX_INSERT, MOVE_HEAD, SELECT_HEAD, UPSERT_HEAD } from './trail-schema.ts'

export interface TrailStore {
  /** Appends rows in order, all or none. @throws Error of the database, `SQLITE_BUSY` after five seconds. */
  append(rows: readonly AuditRow[]): TrailHead
  /** Whether the file under this store was deleted or replaced. */
  stale(): boolean
  close(): void
}

/** Rows that follow a head. */
interface Links {
  readonly start: TrailHead
  readonly end: TrailHead
  /** Body and hash of every row, one after the other, as they are bound. */
  readonly values: readonly string[]
}

/** Opens a trail, creating it when it is missing. @throws Error when it cannot be written, or has another key. */
export function openTrailStore(file: string, key?: AuditKey): TrailStore {
  const db = openDatabase(file)
  const chain = createHashChain(key)
  /** The head that this store left behind, which is the trail's while nobody else writes. */
  let last: TrailHead | undefined
  try {
    db.transaction('immediate', () => {
      ensureSchema(db)
      const first = db.get('SELECT prev FROM audit WHERE seq = 1')
      // Rows under two keys would make a chain that no key verifies.
      if (first !== undefined && first['prev'] !== chain.genesis) throw new Error('the audit trail has another key')
    })
  } catch (error) {
    db.close()
    throw error
  }

  const link = (bodies: readonly string[], start: TrailHead): Links => {
    const values: string[] = []
    let { seq, hash } = start
    for (const body of bodies) {
      seq += 1
      hash = chain.hashOf(hash, seq, body)
      values.push(body, hash)
    }
    return { start, end: { seq, hash }, values }
  }

  const moveHead = ({ start, end }: Links): boolean =>
    db.run(MOVE_HEAD, end.seq, end.hash, start.seq, start.hash).changes === 1

  const linkToStored = (bodies: readonly string[]): Links => {
    const links = link(bodies, headOf(db.get(SELECT_HEAD)) ?? { seq: 0, hash: chain.genesis })
    db.run(UPSERT_HEAD, links.end.seq, links.end.hash)
    return links
  }

  const insert = ({ start, values }: Links): void => {
    let { seq, hash: prev } = start
    for (let at = 0; at < values.length; at += 2 * MAX_INSERT) {
      const part = values.slice(at, at + 2 * MAX_INSERT)
      db.run(insertEntries(part.length / 2), seq + 1, prev, ...part)
      seq += part.length / 2
      prev = part.at(-1) ?? prev
    }
  }

  return {
    append: (rows) => {
      const bodies = rows.map(canonicalRow)
      // Hashed before the lock is taken, for the head that is most likely; it is only certain under the lock.
      const likely = last === undefined ? undefined : link(bodies, last)
      last = db.transaction('immediate', () => {
        const links = likely !== undefined && moveHead(likely) ? likely : linkToStored(bodies)
        insert(links)
        return links.end
      })
      return last
    },
    stale: () => db.stale(),
    close: () => db.close(),
  }
}
