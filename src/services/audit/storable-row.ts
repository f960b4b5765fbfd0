/**
 * Makes a row that every reader of the file understands, and finds the rows that are one already.
 * A row that could not be stored would hold up every row behind it.
 */

import type { AuditRow } from '../../kernel/audit.ts'
import type { ErrandRow } from '../../kernel/errand.ts'

const MAX_TEXT = 1_024
const MAX_PLAIN = 512
const REPLACEMENT = '\ufffd'
/** Printable ASCII that JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/

let [last, lastIsPlain]: [AuditRow | undefined, boolean] = [undefined, false]

/**
 * Whether all texts of a row are printable ASCII without quotes and backslashes, 512 characters together, and its
 * numbers finite. Nearly every row is, and its JSON can be put together without escaping.
 */
export function isPlainRow(row: AuditRow): boolean {
  // Whoever asks first, the trail or the log, the other asks next.
  if (row !== last) [last, lastIsPlain] = [row, looksPlain(row)]
  return lastIsPlain
}

function looksPlain(row: AuditRow): boolean {
  if (row.errand !== undefined || !Number.isFinite(row.at) || !Number.isFinite(row.ms)) return false
  const { id, door, kind, component, caller, args, outcome, code, reason, trace } = row
  return isPlain(id) && isPlain(args) && isPlain(trace) && isKnownPlain(door) && isKnownPlain(kind) && isKnownPlain(component)
    && isKnownPlain(caller) && isKnownPlain(outcome) && isKnownPlain(code) && isKnownPlain(reason)
    && id.length + door.length + kind.length + component.length + caller.length + args.length + outcome.length + code.length + reason.length + trace.length <= MAX_PLAIN
}

const isPlain = (text: unknown): boolean => typeof text === 'string' && text.length <= MAX_PLAIN && PLAIN.test(text)

/** Texts that row after row has: finding one of them is cheaper than reading it. */
const known = new Set<string>()
const MAX_KNOWN = 1_000

function isKnownPlain(text: string): boolean {
  if (known.has(text)) return true
  if (!isPlain(text)) return false
  if (known.size >= MAX_KNOWN) known.clear()
  known.add(text)
  return true
}

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
