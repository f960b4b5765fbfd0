/** Numbering plans of countries, and the international form of numbers (ITU-T E.164). */

import { closesAt, isDigit, opensAt } from '../edges.ts'
import type { Span } from '../rule.ts'
import { BLANKS, DASHES } from './separators.ts'

const COUNTRY = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2(?:1[1-368]|[2-46]\d|5[0-8]|9[0-17-9])|3(?:5\d|7\d|8[0-35-79])|42[013]|5[09]\d|6[789]\d|8(?:[05]\d|7[08]|8[0-368])|9(?:6\d|7[0-79]|9[1-8]))/
// Most digits of a whole number, country code included, where the plan of the country fixes it.
const MOST = new Map([['1', 11], ['7', 11], ['44', 12], ['33', 11], ['61', 11], ['34', 11], ['31', 11], ['41', 11], ['46', 12], ['47', 10], ['45', 10], ['48', 11], ['32', 11], ['91', 12], ['86', 13], ['81', 12], ['82', 12], ['55', 13], ['52', 12], ['27', 11], ['65', 10], ['852', 11], ['353', 12], ['351', 12]])
// Plans in which every number of a subscriber has that many digits.
const WHOLE = new Set(['1', '7', '33', '34', '45', '47', '48', '65', '91', '351', '852'])
const MIN_DIGITS = 8
const MAX_DIGITS = 15
const GROUPS = new RegExp(`[${BLANKS}${DASHES}./]?(?:\\(\\d{1,5}\\)[${BLANKS}${DASHES}.]?)?\\d{1,12}`, 'y')
// Latitude and longitude (ISO 6709, or with a mark between). A number as registries of domains write it (RFC 5733 §2.5)
// has one dot too, but no second after it.
const COORDINATES = /\+\d{1,3}\.\d{2,12}[ ,;/]{0,2}[+-]?\d{1,3}\.\d{2}/y

interface Read {
  readonly country: string
  readonly end: number
  readonly digits: number
}

/** Groups of digits from the country code on, as many as the plan of the country allows. */
function readGroups(text: string, first: number): Read | undefined {
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
  return { country, end, digits }
}

/** From a plus sign on. */
export function findInternational(text: string, first: number): Span | undefined {
  const start = text[first - 1] === '+' ? first - 1 : text[first - 2] === '+' && text[first - 1] === '(' ? first - 2 : undefined
  if (start === undefined || !opensAt(text, start)) return undefined
  COORDINATES.lastIndex = start
  if (COORDINATES.test(text)) return undefined
  const read = readGroups(text, first)
  if (read === undefined || read.digits < MIN_DIGITS || !closesAt(text, read.end)) return undefined
  // A program writes the whole number in one piece; less than that is a sum or a shift.
  const mustBeWhole = ['1', '7'].includes(read.country) || (read.end - first === read.digits && WHOLE.has(read.country))
  return !mustBeWhole || read.digits === MOST.get(read.country) ? { start, end: read.end } : undefined
}

/** The end of a number that begins with the prefix `00` instead, in groups, of a country whose plan fixes the length. */
export function endOfPrefixed(text: string, start: number): number | undefined {
  if (!text.startsWith('00', start)) return undefined
  const read = readGroups(text, start + 2)
  return read !== undefined && read.digits === MOST.get(read.country) && read.end - start - 2 >= read.digits + 2 ? read.end : undefined
}
