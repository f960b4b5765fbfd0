/**
 * How much each term of a declaration weighs: BM25F (Robertson and Zaragoza, 2009) with the typical lengths as
 * constants, so that a weight depends on the declaration alone and never has to be computed again for its neighbours.
 */

import type { CodeChunk } from '../../kernel/ports/code-index.ts'
import { termId } from './term-id.ts'
import { termsOf } from './terms.ts'
import { LANGUAGES } from './vocabulary.ts'
import { identifiersOf } from './words.ts'

interface Field {
  readonly weight: number
  /** Terms in a field of usual length. */
  readonly typical: number
  readonly maxChars: number
}

/**
 * Round numbers on a wide plateau: on held-out halves of a public question set, weights tuned on the other half
 * were no better than these.
 */
const FIELDS = {
  name: { weight: 3, typical: 3, maxChars: 512 },
  container: { weight: 1, typical: 3, maxChars: 512 },
  signature: { weight: 1, typical: 3, maxChars: 4_000 },
  doc: { weight: 1, typical: 12, maxChars: 20_000 },
  path: { weight: 0.5, typical: 6, maxChars: 4_096 },
  body: { weight: 0.5, typical: 30, maxChars: 200_000 },
} as const satisfies Record<string, Field>

const SATURATION = 1.2
const LENGTH_SHARE = 0.75
/** Weights are kept in one byte, from 1 to this. */
export const MAX_WEIGHT = 255

const fields = Object.entries(FIELDS) as readonly (readonly [keyof typeof FIELDS, Field])[]

/** The terms of a path: its folders and name, and the language that its ending names. */
function pathText(path: string): string {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  const language = ending === undefined ? undefined : LANGUAGES.get(ending)
  return language === undefined ? path : `${path.slice(0, -(ending?.length ?? 0))} ${language}`
}

/** Term numbers of one declaration, each with its weight from 1 to 255. */
export function weigh(path: string, chunk: CodeChunk): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const [field, { weight, typical, maxChars }] of fields) {
    const text = field === 'path' ? pathText(path) : chunk[field]
    const terms: number[] = []
    for (const words of identifiersOf(text.slice(0, maxChars))) for (const term of termsOf(words)) terms.push(termId(term))
    const share = weight / (1 - LENGTH_SHARE + (LENGTH_SHARE * terms.length) / typical)
    for (const term of terms) sums.set(term, (sums.get(term) ?? 0) + share)
  }
  for (const [term, sum] of sums) sums.set(term, Math.max(1, Math.round((MAX_WEIGHT * sum) / (SATURATION + sum))))
  return sums
}
