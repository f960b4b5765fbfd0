/** What one owner may keep, and the refusals that hold them to it. Checked inside the transaction that writes. */

import type { Database } from '../../exits/disk/database.ts'
import { refusal } from '../../kernel/refusal.ts'

export interface MemoryLimits {
  readonly maxContentBytes: number
  /** Of the metadata's JSON. */
  readonly maxMetadataBytes: number
  readonly maxEntriesPerNamespace: number
  readonly maxNamespaces: number
  /** Contents, metadata, keys and values together. */
  readonly quotaBytes: number
  /** Hits of one search. */
  readonly maxK: number
  readonly maxKeys: number
  readonly maxValueBytes: number
  readonly maxTtlSeconds: number
}

/** `!(a <= b)` and not `a > b`: a limit that is no number must not mean no limit. */
const isOver = (value: number, limit: number): boolean => !(value <= limit)

/** @throws Refusal `content.too-large` */
export function checkSize(bytes: number, limit: number, what: string): void {
  if (isOver(bytes, limit)) throw refusal('content.too-large', `at most ${limit} bytes of ${what}`)
}

/** @throws Refusal `memory.full` when the owner keeps more than it may, now that the write is made. */
export const checkAccount = (db: Database, limits: MemoryLimits): void => checkTotals(db.get('SELECT used_bytes, keys, namespaces FROM account') ?? {}, limits)

/** @throws Refusal `memory.full`. */
export function checkTotals({ used_bytes: used, keys, namespaces }: Readonly<Record<string, unknown>>, { quotaBytes, maxKeys, maxNamespaces }: MemoryLimits): void {
  if (isOver(Number(used), quotaBytes)) throw refusal('memory.full', `all memories and keys together may have ${quotaBytes} bytes; delete some`, 'bytes')
  if (isOver(Number(keys), maxKeys)) throw refusal('memory.full', `at most ${maxKeys} keys; delete some`, 'keys')
  if (isOver(Number(namespaces), maxNamespaces)) throw refusal('memory.full', `at most ${maxNamespaces} namespaces; delete every memory of one`, 'namespaces')
}

/** @throws Refusal `memory.full` */
export function checkEntries(entries: number, { maxEntriesPerNamespace: max }: MemoryLimits): void {
  if (isOver(entries, max)) throw refusal('memory.full', `at most ${max} memories in one namespace; delete some`, 'entries')
}
