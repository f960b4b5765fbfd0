/**
 * JSON in one canonical form (RFC 8785: members sorted by UTF-16 code units, no blanks, ECMAScript
 * numbers), so that equal values have equal bytes and nothing else has.
 */

const MAX_DEPTH = 100

/** @throws TypeError for what JSON cannot say, and RangeError beyond 100 levels. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, item]) => item !== undefined)
    members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('not a JSON number')
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}
