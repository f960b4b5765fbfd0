/** Numbers of JSON (RFC 8259 §6) as their exact value: never rounded, whatever a reader's floats can hold. */

import { refusal } from '../../kernel/refusal.ts'

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Longer ones exist only to be expensive; the exact decimal expansion of any double is shorter. */
const MAX_CHARS = 1_100
/** A double shows 17 significant digits at most. */
const MAX_DOUBLE_DIGITS = 17
/** Zeros that may be written out behind the last digit. */
const MAX_ZEROS = 20

/**
 * One spelling for each value: the one of RFC 8785 where a double holds it, else plain digits, with an
 * exponent where they would end in zeros. The sign of zero stays.
 * @param lexeme matches the grammar of JSON.
 * @throws Refusal `content.json` for values beyond the largest double, and for more than 1,100 characters.
 */
export function canonicalNumber(lexeme: string): string {
  if (lexeme.length > MAX_CHARS) throw refusal('content.json', 'a number has too many digits')
  const value = Number(lexeme)
  if (!Number.isFinite(value)) throw refusal('content.json', 'a number is larger than a double can be')
  if (Number.isSafeInteger(value) && String(value) === lexeme) return lexeme
  const exact = decimal(lexeme)
  if (exact.digits === '') return exact.sign + '0'
  if (exact.digits.length <= MAX_DOUBLE_DIGITS && value !== 0) {
    const shortest = decimal(String(value))
    if (shortest.digits === exact.digits && shortest.point === exact.point) return String(value)
  }
  return exact.sign + written(exact)
}

interface Decimal {
  readonly sign: string
  /** Without zeros at either end; empty for zero. The value is 0.digits × 10^point. */
  readonly digits: string
  readonly point: number
}

function decimal(lexeme: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(lexeme) ?? []
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first === -1) return { sign, digits: '', point: 0 }
  const point = whole.length - first + Number(exponent)
  if (!Number.isSafeInteger(point)) throw refusal('content.json', 'a number has an exponent without bounds')
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  return { sign, digits: all.slice(first, end), point }
}

/** The layout of ECMAScript's Number::toString, for any count of digits. */
function written({ digits, point }: Decimal): string {
  if (point > 0 && point <= digits.length + MAX_ZEROS) {
    return digits.length <= point ? digits.padEnd(point, '0') : `${digits.slice(0, point)}.${digits.slice(point)}`
  }
  if (point > -6 && point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const exponent = point - 1
  const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}
