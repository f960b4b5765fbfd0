/** How a row is spelled: the text that is stored is the text that is hashed, byte for byte. */

import type { AuditRow } from '../../kernel/audit.ts'
import { durationText, timeText } from './number-text.ts'
import { isPlainRow, storableRow } from './storable-row.ts'

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
} as const satisfies Record<keyof AuditRow, 'string' | 'number'>

export const AUDIT_FIELDS = Object.keys(FIELDS) as readonly (keyof AuditRow)[]

/** One text for one content: a JSON array (RFC 8259) of what the row holds, without spaces, on one line. */
export function canonicalRow(row: AuditRow): string {
  if (!isPlainRow(row)) {
    const storable = storableRow(row)
    return JSON.stringify(AUDIT_FIELDS.map((name) => storable[name]))
  }
  const { id, door, kind, component, caller, args, outcome, code, reason, trace } = row
  const call = `["${id}",${timeText(row.at)},"${door}","${kind}","${component}","${caller}","${args}"`
  return `${call},"${outcome}","${code}","${reason}",${durationText(row.ms)},"${trace}"]`
}

/** Reads a canonical text back; undefined when it is not one, as after somebody wrote into the file. */
export function parseRow(body: string): AuditRow | undefined {
  const values = parseArray(body)
  if (values?.length !== AUDIT_FIELDS.length) return undefined
  const isRow = AUDIT_FIELDS.every((name, at) => typeof values[at] === FIELDS[name])
  if (!isRow) return undefined
  return Object.fromEntries(AUDIT_FIELDS.map((name, at) => [name, values[at]])) as unknown as AuditRow
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
