/**
 * What one owner keeps on a server, in sums that are right after every transaction: whoever writes for an owner
 * writes alone. Texts of callers are stored as bytes, because a server takes no U+0000 in a text.
 */

import { createHash } from 'node:crypto'
import { get, run } from '../../kernel/ports/store.ts'
import type { Steps, StoreRow } from '../../kernel/ports/store.ts'

/** An owner as it is stored: of one length, whatever it is called. */
export const ownerKey = (owner: string): string => createHash('sha256').update(owner).digest('hex')

export const lockOf = (owner: string): string => `memory ${owner}`

const utf8 = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => utf8.encode(text)

export interface Change {
  readonly bytes?: number
  readonly keys?: number
  readonly namespaces?: number
}

const SETTLE = `INSERT INTO memory_account AS kept (owner, used_bytes, keys, namespaces) VALUES (?, ?, ?, ?)
  ON CONFLICT (owner) DO UPDATE SET used_bytes = kept.used_bytes + excluded.used_bytes, keys = kept.keys + excluded.keys,
    namespaces = kept.namespaces + excluded.namespaces
  RETURNING used_bytes, keys, namespaces`

/** @returns the sums afterwards. */
export function* settle(owner: string, { bytes = 0, keys = 0, namespaces = 0 }: Change): Steps<StoreRow> {
  return (yield* get(SETTLE, owner, bytes, keys, namespaces)) ?? {}
}

const EXPIRE = `WITH gone AS (DELETE FROM memory_value WHERE owner = ? AND expires_ms <= ? RETURNING bytes)
  UPDATE memory_account SET used_bytes = used_bytes - (SELECT coalesce(sum(bytes), 0) FROM gone), keys = keys - (SELECT count(*) FROM gone)
  WHERE owner = ? AND EXISTS (SELECT 1 FROM gone)`

/** Before every write, so that what has ended neither counts nor stays. */
export function* removeExpired(owner: string, nowMs: number): Steps<void> {
  yield* run(EXPIRE, owner, nowMs, owner)
}
