/** Reads a question: which terms it asks for, and for how much each other way to say them counts. */

import { termId } from './term-id.ts'
import { knownWord, synonymsOf, termsOf } from './terms.ts'
import { fold, identifiersOf } from './words.ts'

/** What other ways to say a word count, beside 1 for the word itself. */
const [SYNONYM_SHARE, HALF_SHARE] = [0.4, 0.6]
/** What a word counts that the typed one is likely meant to be. */
export const CORRECTION_SHARE = 0.8

const MAX_QUERY_CHARS = 1_000
const MAX_WORDS = 32
const SYMBOL = /^[\p{L}\p{M}\p{N}_$.:#/-]{1,256}$/u

export interface Alternative {
  readonly term: number
  readonly share: number
}

/** One thing that is asked for. A declaration counts for it once, by the best of the ways to say it. */
export interface Wanted {
  /** The folded word, or empty for a whole identifier of several words. */
  readonly word: string
  readonly term: number
  readonly others: readonly Alternative[]
}

function wantedWord(word: string): Wanted | undefined {
  const { term, halves } = knownWord(word)
  if (term === undefined) return undefined
  const others = [...(synonymsOf(term) ?? [])].map((other) => ({ term: termId(other), share: SYNONYM_SHARE }))
  for (const half of halves) others.push({ term: termId(half), share: HALF_SHARE })
  return { word, term: termId(term), others }
}

/** What a query asks for, in order and each once. */
export function wantedIn(query: string): readonly Wanted[] {
  const wanted = new Map<number, Wanted>()
  const want = (found: Wanted | undefined): void => {
    if (found !== undefined && !wanted.has(found.term)) wanted.set(found.term, found)
  }
  for (const words of identifiersOf(query.slice(0, MAX_QUERY_CHARS), MAX_WORDS)) {
    if (words.length > 1) for (const whole of [...termsOf(words)].slice(0, 1)) want({ word: '', term: termId(whole), others: [] })
    for (const word of words) want(wantedWord(word))
    if (wanted.size >= MAX_WORDS) break
  }
  return [...wanted.values()].slice(0, MAX_WORDS)
}

export interface Symbol {
  readonly written: string
  readonly folded: string
}

/** The name that a query is, if it is one: the last part of `module.Class.method`, `ns::name` or `Class#method`. */
export function symbolIn(query: string): Symbol | undefined {
  const text = query.slice(0, MAX_QUERY_CHARS).trim()
  if (!SYMBOL.test(text)) return undefined
  const written = text.split(/[.:#/]+/).filter((part) => part !== '').at(-1)
  return written === undefined ? undefined : { written, folded: fold(written) }
}
