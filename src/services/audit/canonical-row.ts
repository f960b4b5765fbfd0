/** How a row is spelled: the text that is stored is the text that is hashed, byte for byte. */

import type { AuditRow } from '../../kernel/audit.ts'
import type { ErrandRow } from '../../kernel/errand.ts'
import { plainText } from './plain-row.ts'
import { storableRow } from './storable-row.ts'

/** What a row holds, in the order in which it is spelled. */
const FIELDS = {
  id: 'string',
  at: 'number',
  door: 'string',
  kind: 'string',
  component: 'string',
  caller: 'string',
  args: 'string',
  outcome: 'string',
  code: 'string',
  reason: 'string',
  ms: 'number',
  trace: 'string',
} as const satisfies Record<Exclude<keyof AuditRow, 'errand'>, 'string' | 'number'>

export const AUDIT_FIELDS = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[]

/** What only calls of an errand have: one more member, an array in this order. */
const ERRAND_FIELDS = {
  request: 'string',
  motive: 'string',
  level: 'string',
  confirmed: 'boolean',
  status: 'string',
  values: 'string',
} as const satisfies Record<keyof ErrandRow, 'string' | 'boolean'>

const ERRAND_NAMES = Object.keys(ERRAND_FIELDS) as readonly (keyof ErrandRow)[]

/** One text for one content: a JSON array (RFC 8259) of what the row holds, without spaces, on one line. */
export function canonicalRow(row: AuditRow): string {
  const plain = plainText(row)
  if (plain !== undefined) return plain
  const storable = storableRow(row)
  const { errand } = storable
  return JSON.stringify([...AUDIT_FIELDS.map((name) => storable[name]), ...(errand ? [ERRAND_NAMES.map((name) => errand[name])] : [])])
}

/** Reads a canonical text back; undefined when it is not one, as after somebody wrote into the file. */
export function parseRow(body: string): AuditRow | undefined {
  const values = parseArray(body)
  if (values === undefined || values.length < AUDIT_FIELDS.length || values.length > AUDIT_FIELDS.length + 1) return undefined
  const isRow = AUDIT_FIELDS.every((name, at) => typeof values[at] === FIELDS[name])
  if (!isRow) return undefined
  const row = Object.fromEntries(AUDIT_FIELDS.map((name, at) => [name, values[at]])) as unknown as AuditRow
  if (values.length === AUDIT_FIELDS.length) return row
  const errand = parseErrand(values[AUDIT_FIELDS.length])
  return errand && { ...row, errand }
}

function parseErrand(value: unknown): ErrandRow | undefined {
  if (!Array.isArray(value) || value.length !== ERRAND_NAMES.length) return undefined
  const isErrand = ERRAND_NAMES.every((name, at) => typeof value[at] === ERRAND_FIELDS[name])
  return isErrand ? (Object.fromEntries(ERRAND_NAMES.map((name, at) => [name, value[at] as unknown])) as unknown as ErrandRow) : undefined
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
