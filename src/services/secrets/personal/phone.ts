/** Telephone numbers: international ones (ITU-T E.164), North American ones, and national spellings, some by a label alone. */

import { before, closesAt, isDigit, numberClosesAt, numberOpensAt, opensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'

const COUNTRY = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2(?:1[1-368]|[2-46]\d|5[0-8]|9[0-17-9])|3(?:5\d|7\d|8[0-35-79])|42[013]|5[09]\d|6[789]\d|8(?:[05]\d|7[08]|8[0-368])|9(?:6\d|7[0-79]|9[1-8]))/
// Most digits of a whole number, country code included, where the plan of the country fixes it.
const MOST = new Map([['1', 11], ['7', 11], ['44', 12], ['33', 11], ['61', 11], ['34', 11], ['31', 11], ['41', 11], ['46', 12], ['47', 10], ['45', 10], ['48', 11], ['32', 11], ['91', 12], ['86', 13], ['81', 12], ['82', 12], ['55', 13], ['52', 12], ['27', 11], ['65', 10], ['852', 11], ['353', 12], ['351', 12]])
const MIN_DIGITS = 8
const MAX_DIGITS = 15
const GROUPS = /[ .\-\u00a0\u2011/]?(?:\(\d{1,5}\)[ .-]?)?\d{1,12}/y
const LABEL = /(?:\btel|phone|\bmob(?:ile|il)?\b|\bcell|\bfax|\bcall|whats ?app|\bsms\b|\bhandy|m[oó]vil|rufnummer|\bdial|hotline|☎|📞|(?<![.\w])ph)\W{0,3}(?:number|num|nr|no|at|on|me|us|is|her|him|them|now)?\W{0,3}(?:number|at|on|is)?[^\w+]{0,6}$/i

/** Groups of digits from a plus sign on, as many as the plan of the country allows. */
function findInternational(text: string, first: number): Span | undefined {
  const start = text[first - 1] === '+' ? first - 1 : text[first - 2] === '+' && text[first - 1] === '(' ? first - 2 : undefined
  if (start === undefined || !opensAt(text, start)) return undefined
  const country = COUNTRY.exec(text.slice(first, first + 3))?.[0]
  if (country === undefined) return undefined
  const most = MOST.get(country) ?? MAX_DIGITS
  let [end, digits] = [first, 0]
  for (;;) {
    GROUPS.lastIndex = end
    if (!GROUPS.test(text)) break
    const group = text.slice(end, GROUPS.lastIndex).replace(/\(0\)|\D/g, '').length
    if (digits + group > most || isDigit(text.charCodeAt(GROUPS.lastIndex))) break
    digits += group
    end = GROUPS.lastIndex
    if (text[end] === ')') end += 1
  }
  return digits >= MIN_DIGITS && (digits === most || !['1', '7'].includes(country)) && closesAt(text, end) ? { start, end } : undefined
}

const NORTH_AMERICAN = /(?:1[ .-])?(?:\([2-9]\d\d\)[ -]?|[2-9]\d\d([.-]))[2-9]\d\d[.-]\d{4}(?!\d)/y
const LABELLED_AMERICAN = /(?:1[ .-]?)?\(?[2-9]\d\d\)?[ .-]?[2-9]\d\d[ .-]?\d{4}(?!\d)/y
// A trunk prefix, an area, and two more groups, as in much of Europe, Asia and Oceania; or French pairs.
const NATIONAL = /0\d{2,4} \d{3,4} \d{3,4}(?!\d)|0[1-9]([ .])\d\d(?:\1\d\d){3}(?!\d)/y
const LABELLED_NATIONAL = /(?:00[1-9]\d{0,2}[ ./-]?)?\(?0?\d{1,5}\)?(?:[ ./\u00a0-]{1,3}\d{2,8}){1,5}(?!\d)|0\d{8,12}(?!\d)/y

const match = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const isAlone = (text: string, start: number, end: number): boolean =>
  !/\d[ .]$/.test(text.slice(Math.max(0, start - 2), start)) && !/^[ .]\d/.test(text.slice(end, end + 2))

function findNational(text: string, first: number): Span | undefined {
  const start = text[first - 1] === '(' ? first - 1 : first
  if (!numberOpensAt(text, start)) return undefined
  const american = match(NORTH_AMERICAN, text, start)
  if (american !== undefined && numberClosesAt(text, american) && isAlone(text, start, american)) return { start, end: american }
  const national = match(NATIONAL, text, start)
  if (national !== undefined && numberClosesAt(text, national) && isAlone(text, start, national) && !/^01([ .])02\1/.test(text.slice(start, national))) return { start, end: national }
  if (!LABEL.test(before(text, start))) return undefined
  for (const pattern of [LABELLED_AMERICAN, LABELLED_NATIONAL]) {
    const end = match(pattern, text, start)
    const digits = end === undefined ? 0 : text.slice(start, end).replace(/\D/g, '').length
    if (end !== undefined && digits >= (text.startsWith('0', start) ? MIN_DIGITS : MIN_DIGITS + 1) && digits <= MAX_DIGITS && numberClosesAt(text, end)) return { start, end }
  }
  return undefined
}

export const PHONE: PersonalRule = {
  type: 'PHONE', kind: 'personal', rank: RANK.phone,
  onNumber: (text, at) => findInternational(text, at) ?? findNational(text, at),
  yes: ['Call «+1 (212)| 555-0147» now', 'tel «212-555|-0147»', '«+44 20| 7946 0958»', 'phone: «+33 1 99| 00 12 34»', '«+61-2-5550|-1234»', 'tel:«+121255|50147»', '«(212) 555|-0147»', '«+49 (0)30| 1234567»', 'Tel. «030/123|4567»', '«020 7946| 0958»', 'mobile: «06 12 34| 56 78»', '«1-800-555|-0147»'],
  no: ['2024-01-15 12:30:45', '10.0.0.1-10.0.0.9', '192.168.1.10', 'lines 120-145 of 2000', '0x1234567890', '$1,200.50 - $3,400.75', '2 + 2 = 4 (see 7)', 'ID 20240115-0042', 'created_at_millis: 1700000000000', 'ISBN 978-0-306-40615-7', 'lat 52.5200066, lon 13.4049540', '2024-01-15T12:30:45+0100', '01 02 03 04 05'],
}
