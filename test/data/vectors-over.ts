/** Vectors over a given database: with as many documents as wanted, each one chunk, and an embedder that takes no time, or with others. */

import type { Database } from '../../src/kernel/ports/database.ts'
import type { Embedder } from '../../src/kernel/ports/embedding.ts'
import type { Vectors } from '../../src/kernel/ports/vectors.ts'
import { createVectors, DEFAULT_COLUMNS } from '../../src/services/vectors/index.ts'
import type { VectorsOptions } from '../../src/services/vectors/vectors.ts'

const DIMENSIONS = 64

/** @param version changes every document. */
export const vectorsOver = (database: Database, documents: number, version = ''): Vectors => vectorsWith({ database, embedder, documents: documentsOf(documents, version) })

export const vectorsWith = (parts: Pick<VectorsOptions, 'database' | 'embedder' | 'documents'>): Vectors =>
  createVectors({
    ...parts, collections: ['doc_chunks'], columns: DEFAULT_COLUMNS, language: 'english',
    prepare: async () => {}, ticks: () => performance.now(),
    maxK: 50, maxDimensions: 2000, rrfK: 60, candidateMultiplier: 4, timeoutMs: 10_000, maxBytes: 1_000_000,
    index: { proseMaxChars: 1500, codeMaxChars: 1500, overlapChars: 0, maxFiles: 5000, maxChunks: 5000, timeoutMs: 600_000, reuseUnchanged: true },
  })

const embedder: Embedder = {
  label: 'waves', dimensions: DIMENSIONS, semantic: false,
  embed: async (texts) => texts.map((text) => {
    const seed = [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 100_003, 7)
    return Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at * 7 + seed))
  }),
  close: async () => {},
}

const documentsOf = (count: number, version: string) => ({
  async *list() {
    for (let at = 0; at < count; at += 1) yield { path: `${String(at).padStart(5, '0')}.txt`, modifiedMs: 1, read: () => new TextEncoder().encode(`paper ${at} ${version}`) }
  },
  stat: async () => ({ modifiedMs: 1 }),
})
