/** Makes a row that every reader of the file understands: one that could not be stored would hold up every row behind it. */

import type { AuditRow } from '../../kernel/audit.ts'
import type { ErrandRow } from '../../kernel/errand.ts'

const MAX_TEXT = 1_024
const REPLACEMENT = '\ufffd'

/** At most `max` UTF-16 units, whole characters, with a mark where it was cut. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}

/** Lone surrogates have no UTF-8 form, and many readers of a database end a text at U+0000. */
const storableText = <T extends string>(text: T): T =>
  typeof text !== 'string'
    ? ('' as T)
    : (clipText(text, MAX_TEXT)
        .replace(/\p{Cs}/gu, REPLACEMENT)
        .replaceAll('\0', REPLACEMENT) as T)

const storableNumber = (value: number): number => (Number.isFinite(value) ? value + 0 : 0)

/** The row with texts of at most 1,024 characters in well-formed Unicode without U+0000, and finite numbers. */
export const storableRow = (row: AuditRow): AuditRow => ({
  id: storableText(row.id),
  at: storableNumber(row.at),
  door: storableText(row.door),
  kind: storableText(row.kind),
  component: storableText(row.component),
  caller: storableText(row.caller),
  args: storableText(row.args),
  outcome: storableText(row.outcome),
  code: storableText(row.code),
  reason: storableText(row.reason),
  ms: storableNumber(row.ms),
  trace: storableText(row.trace),
  ...(row.errand && { errand: storableErrand(row.errand) }),
})

const storableErrand = ({ request, motive, level, confirmed, status, values }: ErrandRow): ErrandRow => ({
  request: storableText(request),
  motive: storableText(motive),
  level: storableText(level),
  confirmed: confirmed === true,
  status: storableText(status),
  values: storableText(values),
})
