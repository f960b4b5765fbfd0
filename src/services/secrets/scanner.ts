/**
 * Finds credentials and personal data in a text, and takes them out. What was found is never returned: a finding has
 * its type, its place, and a placeholder whose tag is the same for the same value within this process only.
 */

import { createHmac, randomBytes } from 'node:crypto'
import { PLACEHOLDER } from './edges.ts'
import { apartFrom, withoutOverlaps } from './overlaps.ts'
import type { Match } from './overlaps.ts'
import { PERSONAL_RULES } from './personal/index.ts'
import { plainView } from './plain-view.ts'
import { createPrefilter } from './prefilter.ts'
import { SECRET_RULES } from './rules/index.ts'
import type { Rule, Span } from './rule.ts'

export interface Finding {
  /** Such as `GITHUB_TOKEN` or `EMAIL`. */
  readonly type: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** Offset in UTF-16 units. */
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** `[REDACTED:TYPE:tag]`. */
  readonly placeholder: string
}

export interface Redacted {
  readonly text: string
  /** Values that were taken out. */
  readonly count: number
}

export interface Scanner {
  /** In order, not overlapping. */
  scan(text: string): readonly Finding[]
  /** Every character outside the findings stays as it is. Redacting twice changes nothing. */
  redact(text: string): Redacted
}

export interface ScannerOptions {
  /** Key of the tags. Random for each process if not given, and never stored. */
  readonly salt?: Uint8Array | string
}

const RULES: readonly Rule[] = [...SECRET_RULES, ...PERSONAL_RULES]
const prefilter = createPrefilter(RULES)
const TAG_CHARS = 12
const SALT_BYTES = 32
let processSalt: Buffer | undefined

/** All types that a finding can have. */
export const FINDING_TYPES: readonly string[] = [...new Set(RULES.map(({ type }) => type))]

/** Every match of every rule in one reading of the text. */
function matchesIn(text: string): Match[] {
  const found: Match[] = []
  // Inside of what a rule found it need not look again, but where it looked: several of its questions may begin there.
  const [askedAt, doneFrom, doneTo] = [new Int32Array(RULES.length), new Int32Array(RULES.length), new Int32Array(RULES.length)]
  prefilter.sweep(text, (index, find, at) => {
    if (at !== askedAt[index] && at >= (doneFrom[index] ?? 0) && at < (doneTo[index] ?? 0)) return
    const span = find(text, at)
    const rule = RULES[index]
    if (span === undefined || rule === undefined) return
    askedAt[index] = at
    doneFrom[index] = span.start
    doneTo[index] = span.end
    found.push({ rule, start: span.start, end: span.end, value: text.slice(span.start, span.end) })
  })
  return found
}

/** One look, from which values that are redacted already are left out. */
function look(text: string): readonly Match[] {
  const matches = matchesIn(text)
  const view = plainView(text)
  if (view !== undefined) matches.push(...matchesIn(view.text).map((match) => ({ ...match, ...view.original(match.start, match.end) })))
  if (matches.length === 0) return matches
  const placed: Span[] = text.includes('[REDACTED:') ? [...text.matchAll(PLACEHOLDER)].map(({ 0: whole, index }) => ({ start: index, end: index + whole.length })) : []
  return withoutOverlaps(apartFrom(placed, matches))
}

const replaced = (text: string, matches: readonly Match[], stand: (match: Match) => string): string => {
  let [out, from] = ['', 0]
  for (const match of matches) {
    out += text.slice(from, match.start) + stand(match)
    from = match.end
  }
  return out + text.slice(from)
}

/** Looks until nothing is left: without a value its surroundings may mean something else. */
function allMatches(text: string, stand: (match: Match) => string): readonly Match[] {
  let matches = look(text)
  for (let more = matches; more.length > 0;) {
    const [known, stood] = [matches, matches.map((match) => stand(match).length)]
    more = look(replaced(text, known, stand))
    let [shift, next] = [0, 0]
    const back = more.map((match) => {
      for (let one = known[next]; one !== undefined && one.start - shift < match.start; one = known[next]) {
        shift += one.end - one.start - (stood[next] ?? 0)
        next += 1
      }
      return { ...match, start: match.start + shift, end: match.end + shift }
    })
    matches = [...known, ...back].sort((a, b) => a.start - b.start)
  }
  return matches
}

/** One scanner for whatever leaves: documents that are scanned, output of commands, packed context, exports, logs. */
export function createScanner({ salt = (processSalt ??= randomBytes(SALT_BYTES)) }: ScannerOptions = {}): Scanner {
  const placeholder = ({ rule, value }: Match): string =>
    `[REDACTED:${rule.type}:${createHmac('sha256', salt).update(value).digest('hex').slice(0, TAG_CHARS)}]`

  return {
    scan(text) {
      let [line, lineStart] = [1, 0]
      return allMatches(text, placeholder).map((match) => {
        for (let feed = text.indexOf('\n', lineStart); feed >= 0 && feed < match.start; feed = text.indexOf('\n', lineStart)) [line, lineStart] = [line + 1, feed + 1]
        return { type: match.rule.type, line, column: match.start - lineStart + 1, start: match.start, end: match.end, placeholder: placeholder(match) }
      })
    },
    redact(text) {
      const matches = allMatches(text, placeholder)
      return { text: matches.length === 0 ? text : replaced(text, matches, placeholder), count: matches.length }
    },
  }
}
