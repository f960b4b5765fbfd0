/** The check-digit systems on which cards, accounts and national numbers rely. */

const digitsOf = (text: string): number[] => [...text].map(Number)

/** ISO/IEC 7812-1 annex B. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, double = false; i >= 0; i -= 1, double = !double) {
    const digit = digits.charCodeAt(i) - 48
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

/** The remainder of a long decimal number. */
export const modulo = (digits: string, by: number): number => [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % by, 0)

/** Weighted sum over the leading digits. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - 48), 0)

/** ISO 7064, MOD 11,10, as in the German tax number. */
export function isMod1110(digits: string): boolean {
  let product = 10
  for (const digit of digitsOf(digits.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

const FLIP = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
// Products in the dihedral group of the pentagon.
const product = (a: number, b: number): number =>
  a < 5 ? (b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)) : b < 5 ? 5 + ((a - b + 10) % 5) : (a - b + 10) % 5

/** Verhoeff's scheme. */
export function isVerhoeff(digits: string): boolean {
  let check = 0
  digitsOf(digits).reverse().forEach((digit, place) => {
    let turned = digit
    for (let turn = 0; turn < place % 8; turn += 1) turned = FLIP[turned] ?? 0
    check = product(check, turned)
  })
  return check === 0
}
