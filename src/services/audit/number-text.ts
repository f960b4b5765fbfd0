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
  return secondText + String(at - whole * 1_000).padStart(3, '0')
}

/** Decimals by thousandths, each made when it is first needed. */
const DECIMALS: string[] = []

const decimalsOf = (thousandths: number): string =>
  thousandths === 0 ? '' : `.${String(thousandths).padStart(3, '0').replace(/0+$/, '')}`

/** A duration, which seldom has more than three decimals. */
export function durationText(ms: number): string {
  const thousandths = Math.round(ms * 1_000)
  const isShort = thousandths >= 0 && thousandths < MAX_THOUSANDTHS && thousandths / 1_000 === ms
  if (!isShort) return String(ms)
  const whole = Math.floor(ms)
  const rest = thousandths - whole * 1_000
  const decimals = (DECIMALS[rest] ??= decimalsOf(rest))
  return `${whole}${decimals}`
}
