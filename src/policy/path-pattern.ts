/**
 * Patterns over paths, name by name: `*` is any run of characters in one name, `?` one character, `[a-z]` one of a set,
 * `[!a-z]` or `[^a-z]` one that is not, and `**` any number of whole names, also none. A slash at the end is `/**`. In a
 * set every sign stands for itself: `[{]`. A pattern that cannot mean anything, or that other languages of patterns read
 * otherwise, is a problem, never one that matches nothing. Matching takes time that grows with pattern times path,
 * whatever both are.
 */

import { foldLetters } from './credential-paths.ts'

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

/** What other languages of patterns mean by these would be taken literally here, and a denial would deny nothing. */
const FOREIGN: readonly (readonly [sign: RegExp, problem: string])[] = [
  [/^\/?[\s\u200b\u200e\u200f\u2060]|[\s\u200b\u200e\u200f\u2060](?:\/\*\*)?$/u, 'begins or ends with a blank or what cannot be seen: leave it out, or write [ ] for a blank in a name'],
  [/[{}]/, 'has { or }, which give no choice here: write one pattern for each choice, or [{] and [}] for the signs'],
  [/[!@+?*]\(/, 'has a sign of !@+?* before (, which makes no group here: write one pattern for each choice, or [(] for the sign'],
  [/\|/, 'has |, which gives no choice here: write one pattern for each choice, or [|] for the sign'],
  [/^!/, 'begins with !, which turns no pattern round: list what is excepted on its own, or write /! for the sign'],
  [/^~/, 'begins with ~, which is no home folder here: patterns begin at the allowed folder; write [~] for the sign'],
  [/(?:^|\/)\$/, 'has a name that begins with $, which is no variable here: write the name out, or [$] for the sign'],
]
const POSIX_CLASS = 'has [: or [. or [= in a set, which is no class here: write the range, as in [a-z], or the [ last'
const NO_SET = 'has a [ without its ], or a set of nothing'

/** Reads one pattern. A leading slash is dropped: a pattern without `**` in front starts at the root anyway. */
export function parsePattern(text: unknown): ParsedPattern {
  if (typeof text !== 'string') return wrong('must be a text')
  const parsed = readPattern(text)
  const folded = parsed.ok ? readPattern(foldLetters(text)) : parsed
  // Denials hold for the folded spelling too, so what has none that can be read is refused before one is left out.
  return folded.ok ? parsed : parsed.ok ? wrong(`${folded.problem} (as its letters are in lower case and plain width)`) : parsed
}

function readPattern(text: string): ParsedPattern {
  if (text.trim() === '' || text === '/') return wrong('is empty')
  if (text.length > MAX_CHARS) return wrong(`is longer than ${MAX_CHARS} characters`)
  if (/[\p{Cc}\\\p{Cs}]/u.test(text)) return wrong('holds a backslash or a control character')
  const names = text.normalize('NFC').replace(/^\//, '').replace(/\/$/, '/**').split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return wrong('has an empty name, . or .. between slashes')
  const parts: Part[] = []
  const outsideSets: string[] = []
  for (const name of names) {
    const read = name === '**' ? { part: 'names' as const, outside: name } : piecesOf(name)
    if (typeof read === 'string') return wrong(read)
    parts.push(read.part)
    outsideSets.push(read.outside)
  }
  const plain = `${text.startsWith('/') ? '/' : ''}${outsideSets.join('/')}`
  const foreign = FOREIGN.find(([sign]) => sign.test(plain))
  return foreign ? wrong(foreign[1]) : { ok: true, pattern: { text, parts } }
}

/** @returns its pieces, and its text with a letter for each set, whose signs are none; or what is wrong with it. */
function piecesOf(name: string): { readonly part: readonly Piece[]; readonly outside: string } | string {
  const letters = [...name]
  const part: Piece[] = []
  let outside = ''
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? ''
    outside += letter === '[' ? 'x' : letter
    if (letter === '*') part.push(ANY)
    else if (letter === '?') part.push(EACH)
    else if (letter === '[') {
      const end = letters.indexOf(']', at + (isTurned(letters[at + 1]) ? 3 : 2))
      const inside = letters.slice(at + 1, end)
      if (/\[[:.=]/.test(inside.join(''))) return POSIX_CLASS
      const set = end < 0 ? undefined : setOf(inside)
      if (!set) return NO_SET
      part.push({ is: 'one', fits: set })
      at = end
    } else part.push({ is: 'one', fits: (other) => other === letter })
  }
  return { part, outside }
}

/** POSIX turns a set round by `!`, most shells and gitignore by `^` as well. */
const isTurned = (first: string | undefined): boolean => first === '!' || first === '^'

/** @returns undefined for a set that holds nothing. */
function setOf(letters: readonly string[]): ((letter: string) => boolean) | undefined {
  const isNot = isTurned(letters[0])
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
