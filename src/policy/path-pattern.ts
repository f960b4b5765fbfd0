/**
 * Patterns over paths, name by name: `*` is any run of characters in one name, `?` one character, `[a-z]` and `[!a-z]`
 * one of a set, and `**` any number of whole names, also none. A pattern that cannot mean anything is a problem, never
 * one that matches nothing. Matching takes time that grows with pattern times path, whatever both are.
 */

type Piece = { readonly is: 'any' } | { readonly is: 'one'; readonly fits: (letter: string) => boolean }
type Part = 'names' | readonly Piece[]

export interface PathPattern {
  readonly text: string
  readonly parts: readonly Part[]
}

export type ParsedPattern = { readonly ok: true; readonly pattern: PathPattern } | { readonly ok: false; readonly problem: string }

const MAX_CHARS = 1_000
const ANY: Piece = { is: 'any' }
const EACH: Piece = { is: 'one', fits: () => true }
const wrong = (problem: string): ParsedPattern => ({ ok: false, problem })

/** Reads one pattern. A leading slash is dropped: a pattern without `**` in front starts at the root anyway. */
export function parsePattern(text: unknown): ParsedPattern {
  if (typeof text !== 'string') return wrong('must be a text')
  if (text.trim() === '' || text === '/') return wrong('is empty')
  if (text.length > MAX_CHARS) return wrong(`is longer than ${MAX_CHARS} characters`)
  if (/[\p{Cc}\\\p{Cs}]/u.test(text)) return wrong('holds a backslash or a control character')
  const names = text.normalize('NFC').replace(/^\//, '').replace(/\/$/, '').split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return wrong('has an empty name, . or .. between slashes')
  const parts: Part[] = []
  for (const name of names) {
    const part = name === '**' ? 'names' : piecesOf(name)
    if (part === undefined) return wrong('has a [ without its ], or a set of nothing')
    parts.push(part)
  }
  return { ok: true, pattern: { text, parts } }
}

/** @returns undefined for a set that does not end or holds nothing. */
function piecesOf(name: string): readonly Piece[] | undefined {
  const letters = [...name]
  const pieces: Piece[] = []
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? ''
    if (letter === '*') pieces.push(ANY)
    else if (letter === '?') pieces.push(EACH)
    else if (letter === '[') {
      const end = letters.indexOf(']', at + (letters[at + 1] === '!' ? 3 : 2))
      const set = end < 0 ? undefined : setOf(letters.slice(at + 1, end))
      if (!set) return undefined
      pieces.push({ is: 'one', fits: set })
      at = end
    } else pieces.push({ is: 'one', fits: (other) => other === letter })
  }
  return pieces
}

function setOf(letters: readonly string[]): ((letter: string) => boolean) | undefined {
  const isNot = letters[0] === '!'
  const inside = isNot ? letters.slice(1) : letters
  if (inside.length === 0) return undefined
  const ranges: (readonly [from: string, to: string])[] = []
  for (let at = 0; at < inside.length; at += 1) {
    const from = inside[at] ?? ''
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length
    const to = isRange ? (inside[at + 2] ?? '') : from
    if (to < from) return undefined
    ranges.push([from, to])
    if (isRange) at += 2
  }
  return (letter) => ranges.some(([from, to]) => letter >= from && letter <= to) !== isNot
}

/** Whether the pattern covers the whole path; `docs/**` covers `docs` itself too. */
export const covers = ({ parts }: PathPattern, names: readonly string[]): boolean =>
  wildly(parts, names, (part) => part === 'names', (part, name) => part !== 'names' && wildly(part, [...name], (piece) => piece.is === 'any', (piece, letter) => piece.is === 'one' && piece.fits(letter)))

/** Matches with wildcards in one pass: only the last wildcard is ever given another try. */
function wildly<Part, Item>(parts: readonly Part[], items: readonly Item[], isWild: (part: Part) => boolean, fits: (part: Part, item: Item) => boolean): boolean {
  let [part, item, wild, from] = [0, 0, -1, 0]
  while (item < items.length) {
    const now = parts[part]
    if (now !== undefined && isWild(now)) {
      wild = part
      from = item
      part += 1
    } else if (now !== undefined && fits(now, items[item] as Item)) {
      part += 1
      item += 1
    } else if (wild >= 0) {
      part = wild + 1
      from += 1
      item = from
    } else return false
  }
  return parts.slice(part).every(isWild)
}
