/**
 * One open trail file: appends batches to the chain, in one transaction each, beside any number of processes.
 */

import { type BackgroundWriter, openBackgroundWriter } from '../../exits/disk/background-writer.ts'
import { openDatabase } from '../../exits/disk/database.ts'
import type { TrailHead } from '../../kernel/audit.ts'
import { type AuditKey, createHashChain } from './hash-chain.ts'
import { beginningOf } from './trail-parts.ts'
import { appendText, ensureSchema, headOf, insertText, type Links, MOVE_HEAD, MOVED, SELECT_HEAD, UPSERT_HEAD } from './trail-schema.ts'

export interface TrailStore {
  /** Appends rows, given by their canonical texts, in order, all or none. @throws Error of the database, `SQLITE_BUSY` after five seconds. */
  append(bodies: readonly string[]): TrailHead
  /**
   * Appends rows without waiting for the disk. Resolves with undefined, and nothing is written, where somebody else
   * has appended since this store did. Rejects as `append` throws.
   */
  appendInBackground(bodies: readonly string[]): Promise<TrailHead | undefined>
  /** Whether the file under this store was deleted or replaced. */
  stale(): boolean
  close(): void
}

/** Opens a trail, creating it when it is missing. @throws Error when it cannot be written, or has another key. */
export function openTrailStore(file: string, key?: AuditKey): TrailStore {
  const db = openDatabase(file)
  const chain = createHashChain(key)
  /** The head that this store left behind, which is the trail's while nobody else writes. */
  let last: TrailHead | undefined
  let background: BackgroundWriter | undefined
  try {
    db.transaction('immediate', () => {
      ensureSchema(db)
      // Rows under two keys would make a chain that no key verifies.
      if ((beginningOf(db)?.prev ?? chain.genesis) !== chain.genesis) throw new Error('the audit trail has another key')
    })
  } catch (error) {
    db.close()
    throw error
  }

  const link = (bodies: readonly string[], start: TrailHead): Links => {
    const hashes: string[] = []
    let { seq, hash } = start
    for (const body of bodies) {
      seq += 1
      hash = chain.hashOf(hash, seq, body)
      hashes.push(hash)
    }
    return { start, end: { seq, hash }, bodies, hashes }
  }

  const moveHead = ({ start, end }: Links): boolean =>
    db.run(MOVE_HEAD, end.seq, end.hash, start.seq, start.hash).changes === 1

  const linkToStored = (bodies: readonly string[]): Links => {
    const links = link(bodies, headOf(db.get(SELECT_HEAD)) ?? { seq: 0, hash: chain.genesis })
    db.run(UPSERT_HEAD, links.end.seq, links.end.hash)
    return links
  }

  return {
    append: (bodies) => {
      // Hashed before the lock is taken, for the head that is most likely; it is only certain under the lock.
      const likely = last === undefined ? undefined : link(bodies, last)
      last = db.transaction('immediate', () => {
        const links = likely !== undefined && moveHead(likely) ? likely : linkToStored(bodies)
        db.exec(insertText(links))
        return links.end
      })
      return last
    },
    async appendInBackground(bodies) {
      if (last === undefined) return undefined
      const links = link(bodies, last)
      background ??= openBackgroundWriter(file)
      try {
        await background.exec(appendText(links))
      } catch (error) {
        if ((error as { code?: unknown }).code === MOVED) return undefined
        throw error
      }
      last = links.end
      return last
    },
    stale: () => db.stale(),
    close: () => {
      background?.close()
      db.close()
    },
  }
}
