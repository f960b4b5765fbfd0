/**
 * Vectors from the words of a text alone, by hashing (Weinberger et al. 2009): always the same, offline, at once, and
 * without any notion of meaning. Texts that share words or parts of words are near; a paraphrase is not.
 */

import type { Embedder } from '../../kernel/ports/embedding.ts'
import { checkCount } from './limits.ts'
import { compatible } from '../../kernel/normal-form.ts'

const WORD = /[\p{L}\p{N}_]+/gu
const MAX_CHARS = 20_000
const MAX_WORD_CHARS = 40
const PART_WEIGHT = 0.3
const [FNV_OFFSET, FNV_PRIME] = [0x811c9dc5, 0x01000193]

export function createDeterministicEmbedder({ dimensions, maxTexts }: { readonly dimensions: number; readonly maxTexts: number }): Embedder {
  return {
    label: `deterministic:1:${dimensions}`,
    dimensions,
    semantic: false,
    async embed(texts, { signal, progress }) {
      checkCount(texts.length, maxTexts)
      signal.throwIfAborted()
      const vectors = texts.map((text) => vectorOf(text, dimensions))
      progress?.(texts.length, texts.length)
      return vectors
    },
    close: async () => {},
  }
}

function vectorOf(text: string, dimensions: number): readonly number[] {
  const counts = new Map<string, number>()
  const count = (feature: string, weight: number): void => void counts.set(feature, (counts.get(feature) ?? 0) + weight)
  for (const [found] of compatible(text.slice(0, MAX_CHARS)).toLowerCase().matchAll(WORD)) {
    const word = found.slice(0, MAX_WORD_CHARS)
    count(word, 1)
    const framed = `<${word}>`
    for (let at = 0; at + 3 <= framed.length; at += 1) count(`3:${framed.slice(at, at + 3)}`, PART_WEIGHT)
  }
  // A text without words has a place of its own: a vector of zeros is near to nothing and cannot be compared.
  if (counts.size === 0) counts.set('no words', 1)
  const vector = new Array<number>(dimensions).fill(0)
  for (const [feature, weight] of counts) {
    const hash = fnv(feature)
    const at = (hash >>> 1) % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 1 ? 1 : -1) * (weight <= 1 ? weight : 1 + Math.log(weight))
  }
  return normalised(vector)
}

/** FNV-1a over UTF-16 units, mixed so that every bit depends on all. */
function fnv(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

function normalised(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector)
  // Opposite signs may cancel every feature of a short text.
  if (length === 0) return vector.map((_, index) => (index === 0 ? 1 : 0))
  return vector.map((number) => number / length)
}
