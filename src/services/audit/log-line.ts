/** One call as one line of JSON for a log collector, whatever its texts hold (CWE-117). */

import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import type { ErrandRow } from '../../kernel/errand.ts'
import { digitsOf, durationText } from './number-text.ts'
import { MAX_CALLER, MAX_FIELD, plainLog } from './plain-row.ts'
import { clipText } from './storable-row.ts'

const MAX_VALUES = 1_024
const MAX_TIME_MS = 8.64e15
/** Controls, invisible formatting (bidi marks, tags) and line separators, which terminals and viewers obey. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const HASH = /^[0-9a-f]{0,64}$/
const PLAIN = /^[ -~]*$/

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

let second = Number.NaN
let prefix = ''

/** The lines of one second share their beginning, which is made once. */
function isoTime(at: number): string {
  const time = Math.min(Math.max(Math.trunc(finite(at)), -MAX_TIME_MS), MAX_TIME_MS)
  const whole = Math.floor(time / 1_000)
  if (whole !== second) {
    second = whole
    prefix = new Date(whole * 1_000).toISOString().slice(0, -4)
  }
  return `${prefix}${digitsOf(time - whole * 1_000)}Z`
}

const optional = (name: string, text: string): Record<string, string> =>
  text === '' ? {} : { [name]: clipText(text, MAX_FIELD) }

/**
 * The row as a JSON object (RFC 8259) on one line without a line end, at most some 40 kB. Fields are cut at 512
 * characters, the caller at 256. With `head`, the line anchors the trail outside its own file.
 */
export function logLine(row: AuditRow, head?: TrailHead): string {
  const plain = plainLog(row)
  return plain && isPlainHead(head) ? plainLine(row, plain, head) : anyLine(row, head)
}

const isPlainHead = (head: TrailHead | undefined): boolean => head === undefined || HASH.test(head.hash)

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000

function plainLine({ at, id, args, ms, trace }: AuditRow, [before, after]: readonly [string, string], head: TrailHead | undefined): string {
  const line = `{"ts":"${isoTime(at)}","event":"call","id":"${id}${before}${args}${after}${durationText(rounded(ms))}`
  const traced = trace === '' ? line : `${line},"trace":"${trace}"`
  return head === undefined ? `${traced}}` : `${traced},"head":"${head.seq}:${head.hash}"}`
}

/** What any row becomes; for a plain one it is the same, slower. */
function anyLine(row: AuditRow, head: TrailHead | undefined): string {
  const line = {
    ts: isoTime(row.at),
    event: 'call',
    id: clipText(row.id, MAX_FIELD),
    door: clipText(row.door, MAX_FIELD),
    kind: clipText(row.kind, MAX_FIELD),
    component: clipText(row.component, MAX_FIELD),
    caller: clipText(row.caller, MAX_CALLER),
    args: clipText(row.args, MAX_FIELD),
    outcome: clipText(row.outcome, MAX_FIELD),
    ...optional('code', row.code),
    ...optional('reason', row.reason),
    ms: rounded(finite(row.ms)),
    ...optional('trace', row.trace),
    ...(row.errand && errandOf(row.errand)),
    ...(head === undefined ? {} : { head: `${head.seq}:${clipText(head.hash, MAX_FIELD)}` }),
  }
  const text = JSON.stringify(line)
  return PLAIN.test(text) ? text : text.replace(OBEYED, escaped)
}

const errandOf = ({ request, motive, level, confirmed, status, values }: ErrandRow): Record<string, string | boolean> => ({
  request: clipText(request, MAX_FIELD),
  motive: clipText(motive, MAX_FIELD),
  level,
  confirmed,
  ...optional('status', status),
  ...(values !== '' && { values: clipText(values, MAX_VALUES) }),
})

const ANCHOR = /^(\d{1,15}):([0-9a-f]{64})$/

/** Reads the `head` member of a log line back, for checking a trail against it. */
export function parseAnchor(text: string): TrailHead | undefined {
  const found = ANCHOR.exec(text)
  if (found === null) return undefined
  const [, seq, hash] = found
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}
