/** Caps are numbers that bound something: a missing, zero, negative or NaN one is an error, never "no limit". */

/** @throws TypeError naming the option. */
export const checkLimit = (name: string, value: number, least = 1): void => {
  if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`${name} must be a whole number >= ${least}`)
}
