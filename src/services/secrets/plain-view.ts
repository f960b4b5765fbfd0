/**
 * A second reading of a text in which what hides a value is taken away: invisible characters, colour codes, escapes of
 * JSON, URLs and HTML, full-width digits. Offsets lead back to the text as it is.
 */

export interface PlainView {
  readonly text: string
  /** @returns the offsets in the original text of a stretch of this one. */
  original(start: number, end: number): { readonly start: number; readonly end: number }
}

const HIDING = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]|[\uff01-\uff5e]|\\{1,3}u00([2-7][0-9a-fA-F])|%([2-7][0-9a-fA-F]|0[9aAdD])|&#(\d{2,3});|&#x([2-7][0-9a-fA-F]);|&(quot|amp|lt|gt|apos);/g
// What is looked for before the pattern is: each is one fast search.
const SIGNS = ['%', '\u001b', '\\u00', '\u00ad', '&#', '&quot;', '&amp;', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2060', '\ufeff']
const RARE_SIGNS = /[\u034f\u061c\u180e\u202a-\u202e\u2061-\u2064\ufe00-\ufe0f\uff01-\uff5e]/
const WIDE_SHIFT = 0xfee0
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }

function plain([whole, json, url, decimal, hexadecimal, named]: RegExpExecArray): string {
  const hex = json ?? url ?? hexadecimal
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (decimal !== undefined) return Number(decimal) > 31 && Number(decimal) < 127 ? String.fromCharCode(Number(decimal)) : whole
  if (named !== undefined) return ENTITIES[named] ?? whole
  const code = whole.charCodeAt(0)
  return code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - WIDE_SHIFT) : ''
}

/** @returns nothing if the text hides nothing. */
export function plainView(text: string): PlainView | undefined {
  if (!SIGNS.some((sign) => text.includes(sign)) && !RARE_SIGNS.test(text)) return undefined
  const parts: string[] = []
  // Where each replaced stretch begins and ends in the view, and by how much the original is ahead after it.
  const [starts, ends, originals, shifts]: [number[], number[], number[], number[]] = [[], [], [], []]
  let [from, length] = [0, 0]
  HIDING.lastIndex = 0
  for (let match = HIDING.exec(text); match !== null; match = HIDING.exec(text)) {
    const to = plain(match)
    parts.push(text.slice(from, match.index), to)
    length += match.index - from
    starts.push(length)
    length += to.length
    ends.push(length)
    originals.push(match.index)
    from = HIDING.lastIndex
    shifts.push(from - length)
  }
  if (starts.length === 0) return undefined
  parts.push(text.slice(from))

  // The last replaced stretch that begins at or before the place.
  const before = (list: readonly number[], at: number): number => {
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  const originalStart = (at: number): number => {
    const index = before(ends, at)
    const next = index + 1
    // In the middle of a replaced character only its beginning exists.
    if ((starts[next] ?? Number.POSITIVE_INFINITY) <= at && at < (ends[next] ?? 0)) return originals[next] ?? 0
    return at + (index < 0 ? 0 : (shifts[index] ?? 0))
  }
  return {
    text: parts.join(''),
    // The end is that of the last character, so that what hides behind the value stays.
    original: (start, end) => {
      const lastAt = end - 1
      const index = before(starts, lastAt)
      const isReplaced = index >= 0 && lastAt < (ends[index] ?? 0)
      const stop = isReplaced ? (ends[index] ?? 0) + (shifts[index] ?? 0) : originalStart(lastAt) + 1
      return { start: originalStart(start), end: stop }
    },
  }
}
