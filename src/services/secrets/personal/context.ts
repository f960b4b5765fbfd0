/** Words beside a number that say what it is instead of somebody's. */

/** Before it, for a pattern. */
export const NAMES_OF_THINGS = 'ranges?|rows|pages|pp|parts?|sku|items?|versions?|serial|models?|builds?|release|firmware|revision|ratio|ref|batch|isbn|issn|resolution|octal|chmod|modes?|umask|bytes|hex|octets|offsets?|lotto|sizes?|hours|times'

const UNIT = /[ \u00a0\u202f]?(?:ppm|ppb|mm|cm|km|nm|ms|K|px|hz|khz|mhz|ghz|rpm|bytes|bits|hours|hrs|seconds|minutes|[km]b|[km]?bps|firmware|mah?|kw|°[CF]?|%)(?![A-Za-z0-9])/iy
// In lower case it says that a number is of a mobile telephone, or is a thousand.
const isKelvin = (unit: string): boolean => !unit.endsWith('k')

/** Whether a unit of measurement follows. */
export function isMeasure(text: string, end: number): boolean {
  UNIT.lastIndex = end
  const unit = UNIT.exec(text)?.[0]
  return unit !== undefined && isKelvin(unit)
}
