/**
 * Splits text into the words that search compares: case, accents and English endings do not matter. Scripts that
 * are written without spaces are compared by pairs of characters, so no dictionary decides what can be found.
 */

import { stemmer } from 'stemmer'
import { compatible } from '../../kernel/normal-form.ts'

/** Words of one text that are counted; what follows is kept, but not found. */
const MAX_WORDS = 20_000
/** A longer run of letters is cut: it is no word of any language. */
const MAX_LENGTH = 64

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const SPACELESS_RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
/** Accents of scripts in which they change no word's identity; elsewhere a mark may be a vowel. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu
const PLAIN = /^[a-z]+$/

/** One word and where it stands, in UTF-16 units of the text. */
export interface PlacedWord {
  readonly word: string
  readonly at: number
}

/** The words of a kept text in their order, at most 20,000. Each character of a pair counts too: it may be a word. */
export const wordsOf = (text: string): Generator<PlacedWord> => placedWords(text, true)

/** The words that a query asks for. Of a run without spaces these are its pairs: a character of them tells less. */
export const askedWords = (query: string): Generator<PlacedWord> => placedWords(query, false)

function* placedWords(text: string, withSingles: boolean): Generator<PlacedWord> {
  let found = 0
  for (const { 0: run, index } of text.matchAll(WORD)) {
    for (const word of comparable(run, withSingles)) {
      yield { word, at: index }
      found += 1
      if (found >= MAX_WORDS) return
    }
  }
}

function* comparable(run: string, withSingles: boolean): Generator<string> {
  const folded = compatible(run).normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase()
  if (!SPACELESS.test(folded)) {
    const word = folded.slice(0, MAX_LENGTH)
    yield PLAIN.test(word) ? stemmer(word) : word
    return
  }
  for (const [part] of folded.matchAll(SPACELESS_RUNS)) {
    if (SPACELESS.test(part)) yield* pairs([...part], withSingles)
    else yield PLAIN.test(part) ? stemmer(part) : part.slice(0, MAX_LENGTH)
  }
}

function* pairs(characters: readonly string[], withSingles: boolean): Generator<string> {
  if (withSingles || characters.length === 1) yield* characters
  for (let at = 0; at + 1 < characters.length; at += 1) yield `${characters[at]}${characters[at + 1]}`
}
