/**
 * The globs of `.gitignore` (gitignore(5), wildmatch.c with WM_PATHNAME), compiled by hand: every pattern is tried in
 * time that grows with pattern times path, whatever either holds.
 */

/** What one place of a name may be: any run (`*`), any one character (`?`), a set, or a character itself. */
type Piece = '*' | '?' | { readonly is: string } | { readonly among: (character: string) => boolean }

/** One name of a pattern, or `**`: any number of names. */
export type Part = '**' | { readonly literal: string } | { readonly suffix: string } | { readonly pieces: readonly Piece[] }

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i, alpha: /[a-z]/i, blank: /[ \t]/, cntrl: /[\0-\x1f\x7f]/, digit: /[0-9]/, graph: /[!-~]/,
  lower: /[a-z]/, print: /[ -~]/, punct: /[!-/:-@[-`{-~]/, space: /[\t-\r ]/, upper: /[A-Z]/, xdigit: /[0-9a-f]/i,
}

/** What matching has taken: one step for each piece or name that was tried. */
export interface Effort {
  steps: number
}

/** A name is compared character by character, which most times are its units. */
const charactersOf = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text)

/** @returns undefined for a pattern that matches nothing: an open set, a lone backslash at the end. */
export function parsePart(text: string): Part | undefined {
  if (text === '**') return '**'
  if (!/[*?[\\]/.test(text)) return { literal: text }
  if (/^\*[^*?[\\]+$/.test(text)) return { suffix: text.slice(1) }
  const characters = [...text]
  const pieces: Piece[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (pieces.at(-1) !== '*') pieces.push('*')
    } else if (character === '?') pieces.push('?')
    else if (character === '\\') {
      at += 1
      const escaped = characters[at]
      if (escaped === undefined) return undefined
      pieces.push({ is: escaped })
    } else if (character === '[') {
      const set = parseSet(characters, at + 1)
      if (set === undefined) return undefined
      pieces.push({ among: set.among })
      at = set.end
    } else pieces.push({ is: character })
  }
  return { pieces }
}

interface Set {
  readonly among: (character: string) => boolean
  /** Where its closing bracket is. */
  readonly end: number
}

interface Range {
  readonly from: string
  readonly to: string
}

function parseSet(characters: readonly string[], start: number): Set | undefined {
  const isNegated = characters[start] === '!' || characters[start] === '^'
  const first = isNegated ? start + 1 : start
  const [ranges, classes]: [Range[], RegExp[]] = [[], []]
  const among = (character: string): boolean =>
    (ranges.some(({ from, to }) => from <= character && character <= to) || classes.some((one) => one.test(character))) !== isNegated
  for (let at = first; at < characters.length; at += 1) {
    let from = characters[at] ?? ''
    if (from === ']' && at > first) return { among, end: at }
    if (from === '[' && characters[at + 1] === ':') {
      const close = characters.indexOf(']', at + 2)
      const named = close > 0 && characters[close - 1] === ':' ? characters.slice(at + 2, close - 1).join('') : undefined
      if (named !== undefined) {
        const known = Object.hasOwn(CLASSES, named) ? CLASSES[named] : undefined
        if (known === undefined) return undefined
        classes.push(known)
        at = close
        continue
      }
    }
    if (from === '\\') from = characters[(at += 1)] ?? ''
    let to = from
    const next = characters[at + 2]
    if (characters[at + 1] === '-' && next !== undefined && next !== ']') {
      at += 2
      to = next === '\\' ? (characters[(at += 1)] ?? '') : next
    }
    ranges.push({ from, to })
  }
  return undefined
}

const fits = (piece: Piece, character: string): boolean => {
  if (piece === '?' || piece === '*') return true
  return 'is' in piece ? piece.is === character : piece.among(character)
}

/** Goes back only to the last star: an earlier one could not do better. */
function fitsName(pieces: readonly Piece[], name: ArrayLike<string>, effort: Effort): boolean {
  let [piece, at, star, resume] = [0, 0, -1, 0]
  while (at < name.length) {
    effort.steps += 1
    const wanted = pieces[piece]
    if (wanted === '*') {
      star = piece
      resume = at
      piece += 1
    } else if (wanted !== undefined && fits(wanted, name[at] ?? '')) {
      piece += 1
      at += 1
    } else if (star >= 0) {
      piece = star + 1
      at = resume += 1
    } else return false
  }
  while (pieces[piece] === '*') piece += 1
  return piece === pieces.length
}

export function matchesName(part: Part, name: string, effort: Effort): boolean {
  if (part === '**') return true
  if ('literal' in part) return part.literal === name
  if ('suffix' in part) return name.endsWith(part.suffix)
  return fitsName(part.pieces, charactersOf(name), effort)
}

/** Whether the parts match all names of a path; `**` takes any number of them, as the last part at least one. */
export function matchesPath(parts: readonly Part[], names: readonly string[], effort: Effort): boolean {
  let [part, at, star, resume] = [0, 0, -1, 0]
  while (at < names.length) {
    effort.steps += 1
    const wanted = parts[part]
    if (wanted === '**') {
      if (part === parts.length - 1) return true
      star = part
      resume = at
      part += 1
    } else if (wanted !== undefined && matchesName(wanted, names[at] ?? '', effort)) {
      part += 1
      at += 1
    } else if (star >= 0) {
      part = star + 1
      at = resume += 1
    } else return false
  }
  return part === parts.length
}
