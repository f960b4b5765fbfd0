/**
 * A second reading of a text in which what hides a value is taken away: invisible characters, colour codes, escapes of
 * JSON, URLs and HTML, full-width digits. Offsets lead back to the text as it is.
 */

import { isAlnum } from './edges.ts'
import type { Span } from './rule.ts'

export interface PlainView {
  readonly text: string
  /** @returns the offsets in the original text of a stretch of this one. */
  original(start: number, end: number): { readonly start: number; readonly end: number }
}

// Controls but for line ends, and what Unicode counts as default-ignorable or no character: the set of content/clean-text.ts,
// which a service may not import, written out because a pattern without the flag `u` is twice as fast.
const INVISIBLE = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f`
  + String.raw`\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff`
const INVISIBLE_PAIR = String.raw`[\udb40-\udb43][\udc00-\udfff]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]`
const HEX = '[0-9a-fA-F]'
// The code points as hexadecimal digits that are worth reading: ASCII without its controls, and what nobody sees.
const WORTH = `(?:[2-7]${HEX}|[aA][dD])`
const WORTH_LONG = `(?:00${WORTH}|0[36]${HEX}{2}|1[17]${HEX}{2}|20[0-6]${HEX}|3164|[fF][eEfF]${HEX}{2})`
// What may stretch over lines, and what stands on one.
const ANYWHERE = [
  String.raw`\u001b\[[0-?]{0,32}[ -\/]{0,4}[@-~]`,
  String.raw`\u001b\][^\u0007\u001b\r\n]{0,1024}(?:\u0007|\u001b\\)`,
  String.raw`\u009b[0-?]{0,32}[ -\/]{0,4}[@-~]`,
  `[${INVISIBLE}]`,
  INVISIBLE_PAIR,
  String.raw`[\uff01-\uff5e]`,
  `%(?:25){0,2}([2-7]${HEX}|0[9aAdD])`,
  '%[eE]2%80%(?:8[b-fB-F]|[aA][a-eA-E])|%[eE][fF]%[bB][bB]%[bB][fF]',
  String.raw`&#0{0,6}(\d{2,5});`,
  `&#[xX]0{0,6}(${WORTH}|${WORTH_LONG});`,
  '&(quot|amp|lt|gt|apos|lowbar|UnderBar|commat|period|colon|equals|num|excl|dollar|percnt|ast|sol|shy|hyphen|ZeroWidthSpace|zwj|zwnj|NoBreak);',
].join('|')
const BACKSLASHED = [
  String.raw`\\{1,3}(?:u001[bB]|x1[bB]|033|e)\[[0-?]{0,32}[ -\/]{0,4}[@-~]`,
  String.raw`\\{1,3}(?:u(${WORTH_LONG})|x(${WORTH})|u\{0{0,6}(${WORTH}|${WORTH_LONG})\}|U0000(${WORTH_LONG}))`,
  // A backslash before punctuation (CommonMark §2.4), except for quotes, which mean something in a string.
  String.raw`\\([!#-&(-\/:-@[\]^_{-~])`,
].join('|')
const HIDING = new RegExp(`${ANYWHERE}|${BACKSLASHED}`, 'g')
const ASCII_CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).concat('\u007f').filter((char) => !'\t\n\r'.includes(char))
const RARE_SIGN = new RegExp(String.raw`[${INVISIBLE}\uff01-\uff5e\ud82f\ud834\udb40-\udb43]`)
const UNITS = 1 << 16
let rare: Uint8Array | undefined

/** By a table, which is ten times as fast as the pattern from which it is made. */
function hasRareSign(text: string): boolean {
  const isRare = (rare ??= Uint8Array.from({ length: UNITS }, (_, code) => Number(RARE_SIGN.test(String.fromCharCode(code)))))
  for (let i = 0; i < text.length; i += 1) if (isRare[text.charCodeAt(i)] === 1) return true
  return false
}

function hasAt(text: string, sign: string, pattern: RegExp): boolean {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    pattern.lastIndex = at
    if (pattern.test(text)) return true
  }
  return false
}

/** A cheap look before the pattern is tried: searches for one character, and counting bytes, are many times faster than it. */
const mayHide = (text: string): boolean =>
  hasAt(text, '%', /%[2-7eE0][0-9a-fA-F]/y) || hasAt(text, '&', /&(?:#[0-9xX]|[A-Za-z]{2,15};)/y)
  || (Buffer.byteLength(text) === text.length ? ASCII_CONTROLS.some((control) => text.includes(control)) : hasRareSign(text))

const WIDE_SHIFT = 0xfee0
const NAMED: Readonly<Record<string, string>> = {
  quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", lowbar: '_', UnderBar: '_', commat: '@', period: '.', colon: ':', equals: '=', num: '#', excl: '!',
  dollar: '$', percnt: '%', ast: '*', sol: '/', hyphen: '-',
}
const isInvisible = new RegExp(`^(?:[${INVISIBLE}]|${INVISIBLE_PAIR})$`)

/** What a written-out code point reads as, if it is one that hides something. */
function read(code: number, whole: string): string {
  if ((code > 31 && code < 127) || code === 9 || code === 10 || code === 13) return String.fromCharCode(code)
  return code < 0x110000 && isInvisible.test(String.fromCodePoint(code)) ? '' : whole
}

function plain([whole, url, decimal, hexadecimal, named, u, x, braced, long, punctuation]: RegExpExecArray): string {
  if (punctuation !== undefined) return punctuation
  const hex = u ?? x ?? braced ?? long ?? url ?? hexadecimal
  if (hex !== undefined) return read(Number.parseInt(hex, 16), whole)
  if (decimal !== undefined) return read(Number(decimal), whole)
  if (named !== undefined) return NAMED[named] ?? ''
  const code = whole.charCodeAt(0)
  return code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - WIDE_SHIFT) : ''
}

// What a backslash stands before where it hides something: with a neighbour in a word, or between two of them.
const [BESIDE, BETWEEN, WRITTEN] = [1, 2, 3]
const afterBackslash = new Uint8Array(128)
for (const char of '!#$%&()*+,-./:;<=>?@[]^_{|}~') afterBackslash[char.charCodeAt(0)] = BETWEEN
for (const char of '_*@~&#!<>+-:') afterBackslash[char.charCodeAt(0)] = BESIDE
for (const char of 'uUxe0') afterBackslash[char.charCodeAt(0)] = WRITTEN
/** Stands for lines that are left out: no value goes over it. */
const GAP = '\n\u0000\n'

function hides(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  const place = next < 128 ? afterBackslash[next] : 0
  if (place === WRITTEN) return /^\\(?:u(?:00[2-7]|\{|001[bB]\[|20[0-6]|[fF][eE][fF][fF])|U0000|x[2-7][0-9a-fA-F]|x1[bB]\[|e\[|033\[)/.test(text.slice(at, at + 8))
  if (place !== BESIDE && place !== BETWEEN) return false
  const [before, after] = [isAlnum(text.charCodeAt(at - 1)), isAlnum(text.charCodeAt(at + 2))]
  return place === BESIDE ? before || after : before && after
}

/** The lines with a backslash that may hide something: code has many, and few of its lines do. */
function escapedLines(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1)) {
    if (!hides(text, at)) continue
    const start = text.lastIndexOf('\n', at) + 1
    const feed = text.indexOf('\n', at)
    found.push({ start, end: feed < 0 ? text.length : feed + 1 })
    if (feed < 0) break
    at = feed
  }
  return found
}

/** @returns nothing if the text hides nothing. */
export function plainView(text: string): PlainView | undefined {
  const isWhole = mayHide(text)
  const parts: string[] = []
  // Where each replaced stretch begins and ends in the view, and by how much the original is ahead after it.
  const [starts, ends, originals, shifts]: [number[], number[], number[], number[]] = [[], [], [], []]
  let [from, length, hidden] = [0, 0, 0]
  const replace = (at: number, end: number, to: string): void => {
    parts.push(text.slice(from, at), to)
    length += at - from
    starts.push(length)
    length += to.length
    ends.push(length)
    originals.push(at)
    from = end
    shifts.push(from - length)
  }
  for (const { start, end } of isWhole ? [{ start: 0, end: text.length }] : escapedLines(text)) {
    if (start > from) replace(from, start, GAP)
    HIDING.lastIndex = start
    for (let match = HIDING.exec(text); match !== null && match.index < end; match = HIDING.exec(text)) {
      const to = plain(match)
      if (to === match[0]) continue
      hidden += 1
      replace(match.index, HIDING.lastIndex, to)
    }
    parts.push(text.slice(from, end))
    length += end - from
    from = end
  }
  if (hidden === 0) return undefined

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
