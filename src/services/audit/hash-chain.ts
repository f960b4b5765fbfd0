/**
 * The arithmetic of the trail: how a row is spelled, and how its hash binds it to every row before it.
 */

import { createHmac, hash } from 'node:crypto'
import type { AuditRow } from '../../kernel/audit.ts'

/** Column types of a row, in the order in which they are hashed and stored. */
export const AUDIT_COLUMNS = {
  id: 'TEXT',
  at: 'REAL',
  door: 'TEXT',
  kind: 'TEXT',
  component: 'TEXT',
  caller: 'TEXT',
  args: 'TEXT',
  outcome: 'TEXT',
  code: 'TEXT',
  reason: 'TEXT',
  ms: 'REAL',
  trace: 'TEXT',
} as const satisfies Record<keyof AuditRow, 'TEXT' | 'REAL'>

export const AUDIT_COLUMN_NAMES = Object.keys(AUDIT_COLUMNS) as readonly (keyof AuditRow)[]

/** Secret of a keyed trail. Without one the chain shows damage, but whoever writes the file can rebuild it. */
export type AuditKey = string | Uint8Array

const FORMAT = 'arrowhead-audit-1'

/** SHA-256 (FIPS 180-4), or HMAC-SHA-256 (RFC 2104) with a key, as 64 hexadecimal digits. */
const digest = (text: string, key: AuditKey | undefined): string =>
  key === undefined ? hash('sha256', text, 'hex') : createHmac('sha256', key).update(text).digest('hex')

/** What the first row follows. It depends on the key, so the first row tells which key a trail was begun with. */
export const genesisHash = (key?: AuditKey): string => digest(JSON.stringify([FORMAT]), key)

/** What the first row of a trail without a key follows. */
export const GENESIS = genesisHash()

/** One text per content: a JSON array (RFC 8259) in column order. Two different rows never share a spelling. */
export const canonicalRow = (prevHash: string, seq: number, row: AuditRow): string =>
  JSON.stringify([FORMAT, prevHash, seq, ...AUDIT_COLUMN_NAMES.map((name) => row[name])])

/** Hash of a row in its place, as 64 hexadecimal digits. */
export const rowHash = (prevHash: string, seq: number, row: AuditRow, key?: AuditKey): string =>
  digest(canonicalRow(prevHash, seq, row), key)
