/**
 * Nearly every row is printable ASCII without quotes and backslashes, and its JSON can be put together without escaping.
 * What row after row has in common is then spelled once, for the trail and for the log.
 */

import type { AuditRow } from '../../kernel/audit.ts'
import { durationText, timeText } from './number-text.ts'

/** Characters of a field, and of a caller, that a log line shows. Of a plain row nothing is cut: all its texts together are no longer. */
export const [MAX_FIELD, MAX_CALLER] = [512, 256]

/** Numbers from zero up to it are spelled in digits, and are times that exist. */
const MAX_NUMBER = 1e15
const PLAIN = /^[ !#-[\]-~]*$/

/** What the rows of a caller's calls of a component have in common, as it is spelled from the time to the arguments and from there to the duration. */
interface Common extends Readonly<Record<(typeof SHARED)[number], string>> {
  readonly stored: readonly [before: string, after: string]
  readonly logged: readonly [before: string, after: string]
  readonly characters: number
}

const SHARED = ['door', 'kind', 'component', 'caller', 'outcome', 'code', 'reason'] as const

/** The text of a row in the trail; undefined where the row is not plain. */
export function plainText(row: AuditRow): string | undefined {
  const common = plainly(row)
  if (common === undefined) return undefined
  const [before, after] = common.stored
  return `["${row.id}",${timeText(row.at)}${before}${row.args}${after}${durationText(row.ms)},"${row.trace}"]`
}

/** How a plain row's log line goes on after its id, and after its arguments. */
export const plainLog = (row: AuditRow): Common['logged'] | undefined => plainly(row)?.logged

function plainly(row: AuditRow): Common | undefined {
  const { id, at, args, ms, trace } = row
  const isOwnPlain = row.errand === undefined && isPlainNumber(at) && isPlainNumber(ms) && isPlain(id) && isPlain(args) && isPlain(trace)
  const common = isOwnPlain ? commonOf(row) : undefined
  return common !== undefined && common.characters + id.length + args.length + trace.length <= MAX_FIELD ? common : undefined
}

const isPlain = (text: unknown): boolean => text === '' || (typeof text === 'string' && text.length <= MAX_FIELD && PLAIN.test(text))

const isPlainNumber = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value < MAX_NUMBER

/** By caller and component. */
const known = new Map<string, Map<string, Common>>()
const MAX_KNOWN = 1_000
let size = 0

function commonOf(row: AuditRow): Common | undefined {
  const found = known.get(row.caller)?.get(row.component)
  if (found !== undefined && fits(found, row)) return found
  if (!SHARED.every((name) => isPlain(row[name])) || row.caller.length > MAX_CALLER) return undefined
  if (size >= MAX_KNOWN) {
    known.clear()
    size = 0
  }
  const of = known.get(row.caller) ?? new Map<string, Common>()
  if (of.size === 0) known.set(row.caller, of)
  if (!of.has(row.component)) size += 1
  const made = spelled(row)
  of.set(row.component, made)
  return made
}

const fits = (common: Common, row: AuditRow): boolean =>
  row.door === common.door && row.kind === common.kind && row.outcome === common.outcome && row.code === common.code && row.reason === common.reason

function spelled(row: AuditRow): Common {
  const { door, kind, component, caller, outcome, code, reason } = row
  const said = (code === '' ? '' : `,"code":"${code}"`) + (reason === '' ? '' : `,"reason":"${reason}"`)
  return {
    door, kind, component, caller, outcome, code, reason,
    characters: SHARED.reduce((sum, name) => sum + row[name].length, 0),
    stored: [flat(`,"${door}","${kind}","${component}","${caller}","`), flat(`","${outcome}","${code}","${reason}",`)],
    logged: [flat(`","door":"${door}","kind":"${kind}","component":"${component}","caller":"${caller}","args":"`), flat(`","outcome":"${outcome}"${said},"ms":`)],
  }
}

/** V8 keeps what is put together as its parts, and would walk them with each text that this becomes a part of. */
const flat = (text: string): string => Buffer.from(text).toString()
