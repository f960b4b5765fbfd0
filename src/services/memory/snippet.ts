/** The part of a memory that a search shows. */

import { wordsOf } from './words.ts'

/** UTF-16 units of a snippet, and how much of that stands before the first match. */
const MAX_LENGTH = 2_000
const BEFORE = 200

/** The whole text where it is short, otherwise what surrounds the first of the words, never half a character. */
export function snippetOf(text: string, words: ReadonlySet<string>): string {
  if (text.length <= MAX_LENGTH) return text
  const from = boundary(text, Math.max(0, firstMatch(text, words) - BEFORE))
  const to = boundary(text, Math.min(text.length, from + MAX_LENGTH))
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

function firstMatch(text: string, words: ReadonlySet<string>): number {
  for (const { word, at } of wordsOf(text)) if (words.has(word)) return at
  return 0
}

/** Moves a cut that would fall between the two halves of a character. */
const boundary = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at)
