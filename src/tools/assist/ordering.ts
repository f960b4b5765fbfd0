/** What counts as an ordering, and the ordering that needs no model: by the words of the query. */

import { compatible } from '../../kernel/normal-form.ts'

/**
 * An answer that is one JSON list holding each index below `count` exactly once, with nothing around it but blanks
 * or one code fence; anything else is undefined.
 */
export function parseOrdering(answer: string, count: number): readonly number[] | undefined {
  const [, fenced] = /^```(?:json)?([^`]*)```$/.exec(answer.trim()) ?? []
  const text = (fenced ?? answer).trim()
  // Digits, commas and blanks alone: nothing is left for a parser to be surprised by.
  if (!/^\[[\d,\s]*\]$/.test(text)) return undefined
  const list = parseJson(text)
  if (!Array.isArray(list) || list.length !== count) return undefined
  const seen = new Set<number>(list)
  return seen.size === count && list.every((index) => Number.isInteger(index) && index >= 0 && index < count) ? list : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const WORD = /[\p{L}\p{N}]+/gu
const TERM_SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

const wordsOf = (text: string): readonly string[] => compatible(text).toLowerCase().match(WORD) ?? []

/** Indices by BM25 over the candidates themselves, ties in the order given. */
export function lexicalOrder(query: string, candidates: readonly string[]): readonly number[] {
  const asked = [...new Set(wordsOf(query))]
  const counts = candidates.map((candidate) => {
    const words = wordsOf(candidate)
    const times = new Map<string, number>()
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
    return { length: words.length, times }
  })
  const average = Math.max(1, counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length))
  const weights = asked.map((word) => {
    const holding = counts.filter(({ times }) => times.has(word)).length
    return Math.log(1 + (counts.length - holding + 0.5) / (holding + 0.5))
  })
  const score = ({ length, times }: (typeof counts)[number]): number =>
    asked.reduce((sum, word, index) => {
      const often = times.get(word) ?? 0
      const damped = often + TERM_SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (length / average))
      return sum + (weights[index] ?? 0) * ((often * (TERM_SATURATION + 1)) / damped)
    }, 0)
  const scores = counts.map(score)
  return candidates.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}
