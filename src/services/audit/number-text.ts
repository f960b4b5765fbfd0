/**
 * The numbers of a row as JSON spells them (RFC 8259). Whole parts are written apart from thousandths where that
 * gives the same text, because spelling a fraction or a large number is dear.
 */

const MAX_SECOND = 1e11
const MAX_THOUSANDTHS = 1e9

let second = 0
let secondText = ''

/** A time in milliseconds; the times of one second share their beginning, which is made once. */
export function timeText(at: number): string {
  const whole = Math.floor(at / 1_000)
  if (!Number.isInteger(at) || whole < 1 || whole > MAX_SECOND) return String(at)
  if (whole !== second) {
    second = whole
    secondText = String(whole)
  }
  return secondText + digitsOf(at - whole * 1_000)
}

/** Each made when it is first needed, as the two lists below. */
const DIGITS: string[] = []

/** Three digits, for 0 to 999. */
export const digitsOf = (thousandths: number): string => (DIGITS[thousandths] ??= String(thousandths).padStart(3, '0'))

const DECIMALS: string[] = []

const decimalsOf = (thousandths: number): string =>
  (DECIMALS[thousandths] ??= thousandths === 0 ? '' : `.${digitsOf(thousandths).replace(/0+$/, '')}`)

/** Durations by thousandths, those of nearly all calls. */
const SHORT: string[] = []
const MAX_SHORT = 10_000

/** A duration, which seldom has more than three decimals. */
export function durationText(ms: number): string {
  const thousandths = Math.round(ms * 1_000)
  const isPlain = thousandths >= 0 && thousandths < MAX_THOUSANDTHS && thousandths / 1_000 === ms
  if (!isPlain) return String(ms)
  return thousandths < MAX_SHORT ? (SHORT[thousandths] ??= plainDuration(thousandths)) : plainDuration(thousandths)
}

function plainDuration(thousandths: number): string {
  const whole = Math.floor(thousandths / 1_000)
  return `${whole}${decimalsOf(thousandths - whole * 1_000)}`
}
