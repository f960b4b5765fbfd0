/** Words as full text is searched by: identifiers whole and in their parts, without case, English ones by their stem. */

import { stemmer } from 'stemmer'
import { composed } from '../../kernel/normal-form.ts'

const RUN = /[\p{L}\p{N}_$]+/gu
const PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|[\p{Lo}\p{Lm}]+/gu
/** What stands in nearly every question and tells nothing. */
const STOP = new Set('a an and are as at be by can do does for from how i if in into is it its of on or that the this to was what when where which who why will with you'.split(' '))
const MAX_WORD = 100

/** Stems cost more than looking them up; a text has few words that are not met again. */
const MAX_STEMS = 20_000
const stems = new Map<string, string>()

function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MAX_STEMS) stems.clear()
  const made = stemmer(word)
  stems.set(word, made)
  return made
}

/** What every word with this stem begins with: a stem may differ from its words in its last two letters. */
export const rootOf = (stemmed: string): string => (stemmed.length > 4 ? stemmed.slice(0, -2) : stemmed.slice(0, 3))

/** Calls `take` with each word of a text, parts of an identifier after the whole. */
export function eachWord(text: string, take: (word: string) => void): void {
  for (const [run] of text.matchAll(RUN)) {
    if (run.length > MAX_WORD) continue
    const whole = run.toLowerCase()
    take(stem(whole))
    const parts = run.match(PARTS) ?? []
    if (parts.length > 1) for (const part of parts) take(stem(part.toLowerCase()))
  }
}

/** The words of a query, each once, without those that tell nothing. */
export function queryWords(query: string, maxWords = 32): readonly string[] {
  const plain = composed(query)
  const telling = plain.replace(RUN, (word) => (STOP.has(word.toLowerCase()) ? ' ' : word))
  const words = new Set<string>()
  eachWord(/[\p{L}\p{N}]/u.test(telling) ? telling : plain, (word) => void words.add(word))
  return [...words].slice(0, maxWords)
}
