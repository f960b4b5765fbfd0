/** Telephone numbers: international ones, North American ones, and national spellings, some by a label alone. */

import { before, numberClosesAt, numberOpensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'
import { isMeasure, NAMES_OF_THINGS } from './context.ts'
import { endOfPrefixed, findInternational } from './phone-plans.ts'
import { BLANKS, DASHES } from './separators.ts'

const MIN_DIGITS = 8
const MAX_DIGITS = 15
const LABEL = /(?:\btel(?:[eé]fo(?:o?n|n[oe]))?|телефон|phone|\bmob(?:ile|il)?\b|\bcel(?:lulare|ular|l)|\bfax|\bcall|whats ?app|\bsms\b|\bhandy|m[oó]vil|rufnummer|\bdial|hotline|\bcontact\s?:|電話|携帯|电话|電话|手机|手機|전화|☎|📞|(?<![.\w])ph)\W{0,3}(?:number|num|nr|no|at|on|me|us|is|her|him|them|now)?\W{0,3}(?:number|at|on|is)?[^\w+]{0,6}$/i
const OTHER = new RegExp(`(?:\\b(?:${NAMES_OF_THINGS})|\\bv)\\b[^\\d]{0,8}$`, 'i')
const EXTENSION = /[ \u00a0]?(?:x|ext\.?)[ \u00a0]?\d{1,6}(?![A-Za-z0-9])/iy

// In the patterns below B stands for a blank, D for a dash, S for either or a dot; in brackets b and d.
const MARKS: Readonly<Record<string, string>> = { B: `[${BLANKS}]`, D: `[${DASHES}]`, S: `[${BLANKS}${DASHES}.]`, b: BLANKS, d: DASHES }
const sticky = (source: RegExp): RegExp => new RegExp(source.source.replace(/(?<!\\)[BDSbd]/g, (mark) => MARKS[mark] ?? mark), 'y')

// No area and no exchange is a service code such as 911, and no area has a nine in the middle.
const NORTH_AMERICAN = sticky(/(?:1S)?(?:\([2-9](?!11)[0-8]\d\)[bd]?|[2-9](?!11)[0-8]\d([.d]))[2-9](?!11)\d\d[.d]\d{4}(?!\d)/)
const LABELLED_AMERICAN = sticky(/(?:1S?)?\(?[2-9]\d\d\)?S?[2-9]\d\dS?\d{4}(?!\d)/)
const LABELLED_NATIONAL = sticky(/(?:00[1-9]\d{0,2}[bd./]?)?\(?0?\d{1,5}\)?(?:[bd./]{1,3}\d{2,8}){1,5}(?!\d)|0\d{8,12}(?!\d)/)

/** Without a label, a spelling has to be unmistakable. By the first character. */
const NATIONAL: Readonly<Record<string, readonly RegExp[]>> = {
  0: [
    // A trunk prefix, an area, and two more groups, as in much of Europe, Asia and Oceania: no subscriber begins with 0.
    /0\d{2,4}B[1-9]\d{2,3}B\d{3,4}(?!\d)/,
    /04\d\dB\d{3}B\d{3}(?!\d)/, // mobile ones of Australia, in which one may
    /07[1-57-9]\d\dB\d{6}(?!\d)/, // mobile ones of Britain
    /0(?:10|[5789]0)D[1-9]\d{3}D\d{4}(?!\d)/, // mobile ones of Japan and Korea
    /0[1-9]([.b])\d\d(?:\1\d\d){3}(?!\d)/, // France
  ].map(sticky),
  8: [sticky(/8B?\([3-9]\d\d\)B?\d{3}D\d\dD\d\d(?!\d)/)], // Russia
  '(': [
    /\(0\d{2,4}\)B?[1-9]\d{2,3}B\d{3,4}(?!\d)/,
    /\(0[2378]\)B?[2-9]\d{3}B\d{4}(?!\d)/, // areas of Australia
    /\([1-9][1-9]\)B?9\d{4}D\d{4}(?!\d)/, // mobile ones of Brazil
  ].map(sticky),
}

const BESIDE = new RegExp(`^\\d[${BLANKS}.]$|^[${BLANKS}.]\\d$`)

const match = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whether no more groups of digits stand beside it, as in a table or in a large number. */
const isAlone = (text: string, start: number, end: number): boolean =>
  !BESIDE.test(text.slice(Math.max(0, start - 2), start)) && !BESIDE.test(text.slice(end, end + 2))

const isClosed = (text: string, end: number): boolean => numberClosesAt(text, end) || match(EXTENSION, text, end) !== undefined

/** Rows of numbers that look like a telephone's. */
const SERIES: readonly ((groups: readonly string[]) => boolean)[] = [
  // Sizes and thresholds, such as 200-300-4000.
  (groups) => groups.every((group) => group.endsWith('0')) && groups.at(-1)?.endsWith('00') === true,
  // Times of day.
  (groups) => groups.every((group) => /^(?:[01]\d|2[0-3])[0-5]\d$/.test(group)),
  // Draws of a lottery, and counting.
  (groups) => groups.length > 3 && groups.every((group, index) => Number(group) <= 50 && (index === 0 || Number(group) > Number(groups[index - 1]))),
]
const isSeries = (shown: string): boolean => {
  const groups = shown.split(/\D+/)
  return groups.length > 2 && SERIES.some((test) => test(groups))
}

/** Something else in the same spelling: a row of numbers, a measure, or what a word before it names. */
const isOther = (text: string, start: number, end: number): boolean =>
  isSeries(text.slice(start, end)) || isMeasure(text, end) || OTHER.test(before(text, start))

function endOfBare(text: string, start: number): number | undefined {
  const isWhole = (end: number | undefined): boolean => end !== undefined && isClosed(text, end) && isAlone(text, start, end)
  const american = match(NORTH_AMERICAN, text, start)
  if (isWhole(american)) return american
  for (const pattern of NATIONAL[text.charAt(start)] ?? []) {
    const end = match(pattern, text, start)
    if (isWhole(end)) return end
  }
  const prefixed = endOfPrefixed(text, start)
  return isWhole(prefixed) ? prefixed : undefined
}

function findNational(text: string, first: number): Span | undefined {
  const start = text[first - 1] === '(' ? first - 1 : first
  if (!numberOpensAt(text, start)) return undefined
  const bare = endOfBare(text, start)
  if (bare !== undefined && !isOther(text, start, bare)) return { start, end: bare }
  if (!LABEL.test(before(text, start))) return undefined
  for (const pattern of [LABELLED_AMERICAN, LABELLED_NATIONAL]) {
    const end = match(pattern, text, start)
    if (end === undefined || !isClosed(text, end)) continue
    const shown = text.slice(start, end)
    const digits = shown.replace(/\D/g, '').length
    const isDate = /^(?:19|20)\d\d([-./])\d\d\1\d\d/.test(shown)
    if (!isDate && digits >= (shown.startsWith('0') ? MIN_DIGITS : MIN_DIGITS + 1) && digits <= MAX_DIGITS) return { start, end }
  }
  return undefined
}

export const PHONE: PersonalRule = {
  type: 'PHONE', kind: 'personal', rank: RANK.phone,
  onNumber: (text, at) => findInternational(text, at) ?? findNational(text, at),
  yes: ['Call «+1 (212)| 555-0147» now', 'tel «212-555|-0147»', '«+44 20| 7946 0958»', 'phone: «+33 1 99| 00 12 34»', '«+61-2-5550|-1234»', 'tel:«+121255|50147»', '«(212) 555|-0147»', '«+49 (0)30| 1234567»', 'Tel. «030/123|4567»', '«020 7946| 0958»', 'mobile: «06 12 34| 56 78»', '«1-800-555|-0147»'],
  no: ['2024-01-15 12:30:45', '10.0.0.1-10.0.0.9', '192.168.1.10', 'lines 120-145 of 2000', '0x1234567890', '$1,200.50 - $3,400.75', '2 + 2 = 4 (see 7)', 'ID 20240115-0042', 'created_at_millis: 1700000000000', 'ISBN 978-0-306-40615-7', 'lat 52.5200066, lon 13.4049540', '2024-01-15T12:30:45+0100', '01 02 03 04 05'],
}
