/** Turns words into the terms that are weighed: abbreviations written out, compounds taken apart, endings cut off. */

import { stemmer } from 'stemmer'
import { ABBREVIATIONS, COMPOUND_WORDS, STOP_WORDS, SYNONYMS } from './vocabulary.ts'

const STEMMABLE = /^[a-z]{3,}$/
const DIGITS = /^\p{N}+$/u
/** Longer words and numbers are data, not language. */
const [MAX_WORD_CHARS, MAX_DIGITS] = [32, 4]
const MAX_REMEMBERED = 20_000
/** Both halves of a compound have at least two letters, and it has six. */
const [MIN_COMPOUND, MIN_HALF] = [6, 2]

interface Known {
  readonly term: string | undefined
  readonly halves: readonly string[]
}
const known = new Map<string, Known>()

const isData = (word: string): boolean => word.length > (DIGITS.test(word) ? MAX_DIGITS : MAX_WORD_CHARS)

/** The term of one folded word; words of one stem and their abbreviations share it. */
function termOf(word: string): string {
  const full = ABBREVIATIONS.get(word) ?? word
  return STEMMABLE.test(full) ? stemmer(full) : full
}

/** The most even of the ways to read a word as two known ones. */
function halvesOf(word: string): readonly string[] {
  if (word.length < MIN_COMPOUND || !STEMMABLE.test(word)) return []
  for (let half = word.length >> 1; half >= MIN_HALF; half -= 1) {
    for (const cut of [half, word.length - half]) {
      const halves = [word.slice(0, cut), word.slice(cut)]
      if (halves.every((part) => COMPOUND_WORDS.has(part))) return halves.filter((part) => !STOP_WORDS.has(part)).map(termOf)
    }
  }
  return []
}

/** One folded word as its term, absent where it says nothing, and the terms of its halves where it is a compound. */
export function knownWord(word: string): Known {
  const found = known.get(word)
  if (found !== undefined) return found
  const silent = STOP_WORDS.has(word) || isData(word)
  const made: Known = silent ? { term: undefined, halves: [] } : { term: termOf(word), halves: halvesOf(word) }
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(word, made)
  return made
}

/** Every term of one identifier given as its folded words: the whole, when it has several, then the parts. */
export function* termsOf(words: readonly string[]): Generator<string> {
  if (words.length > 1) yield termOf(words.join(''))
  for (const word of words) {
    const { term, halves } = knownWord(word)
    if (term === undefined) continue
    yield term
    yield* halves
  }
}

let synonyms: Map<string, Set<string>> | undefined

/** Terms that a question may mean by this one. */
export function synonymsOf(term: string): ReadonlySet<string> | undefined {
  synonyms ??= indexed(SYNONYMS.map((group) => group.map(termOf)))
  return synonyms.get(term)
}

function indexed(groups: readonly (readonly string[])[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const group of groups) {
    for (const term of group) {
      const others = found.get(term) ?? new Set()
      for (const other of group) if (other !== term) others.add(other)
      found.set(term, others)
    }
  }
  return found
}
