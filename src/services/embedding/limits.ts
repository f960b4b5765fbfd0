/** What every embedder checks before and after its work. */

import { refusal } from '../../kernel/refusal.ts'

/** @throws Refusal `data.limit` */
export function checkCount(texts: number, maxTexts: number): void {
  if (texts > maxTexts) throw refusal('data.limit', `at most ${maxTexts} texts are embedded by one call`)
}

/** @throws Refusal `embedding.failed` unless there is one vector of the right size for each text, of finite numbers. */
export function checkVectors(vectors: readonly (readonly number[])[], { count, dimensions }: { readonly count: number; readonly dimensions: number }): void {
  if (vectors.length !== count) throw refusal('embedding.failed', undefined, 'count')
  for (const vector of vectors) {
    if (vector.length !== dimensions) throw refusal('embedding.failed', `the provider gives ${vector.length} dimensions: set ARROWHEAD_EMBEDDING_DIMENSIONS to that`, 'dimensions')
    if (!vector.every(Number.isFinite)) throw refusal('embedding.failed', undefined, 'numbers')
  }
}

/** Of length 1, so that all providers are compared alike; zeros stay zeros. */
export function unit(vector: readonly number[]): readonly number[] {
  const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
  if (largest === 0) return vector
  // Squares of numbers that are very large or small would be infinite or nothing.
  const scaled = vector.map((number) => number / largest)
  const length = Math.hypot(...scaled)
  return scaled.map((number) => number / length)
}
