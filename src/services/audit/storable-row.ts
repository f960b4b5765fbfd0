/**
 * Makes a row that the database returns exactly as it was given, so that its hash can be taken before it is
 * stored. A row that could not be stored would hold up every row behind it.
 */

import type { AuditRow } from '../../kernel/audit.ts'

const MAX_TEXT = 1_024
const REPLACEMENT = '\ufffd'
/** What nearly every text is, and what needs no repair. */
const PLAIN = /^[ -~]{0,1024}$/

/** At most `max` UTF-16 units, whole characters, with a mark where it was cut. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}

/** Lone surrogates have no UTF-8 form, and the database library ends a text at U+0000. */
const storableText = <T extends string>(text: T): T => {
  if (typeof text !== 'string') return '' as T
  if (PLAIN.test(text)) return text
  return clipText(text, MAX_TEXT)
    .replace(/\p{Cs}/gu, REPLACEMENT)
    .replaceAll('\0', REPLACEMENT) as T
}

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
})
