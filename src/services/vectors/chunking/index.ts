/** A document as chunks: cut along its structure, each with the lines that it came from. The same text gives the same chunks. */

import { jsonChunks } from './json-elements.ts'
import { atomsOf, pack } from './pack.ts'
import type { Chunk } from './pack.ts'
import { codePieces, markdownPieces, paragraphPieces } from './seams.ts'

export type { Chunk } from './pack.ts'

export interface ChunkSizes {
  /** Longest chunk of prose, in characters. */
  readonly proseMaxChars: number
  /** Longest chunk of code or data, in characters. */
  readonly codeMaxChars: number
  /** What a chunk of prose repeats of the one before. */
  readonly overlapChars: number
}

const MARKDOWN = /\.(?:md|markdown|mdx)$/i
const PROSE = /\.(?:txt|text|rst|adoc|log|csv)$/i
const JSON_NAMES = /\.json$/i

export function chunkDocument(path: string, text: string, { proseMaxChars, codeMaxChars, overlapChars }: ChunkSizes): readonly Chunk[] {
  const prose = { maxChars: proseMaxChars, overlapChars: Math.min(overlapChars, Math.floor(proseMaxChars / 2)) }
  const code = { maxChars: codeMaxChars, overlapChars: 0 }
  if (JSON_NAMES.test(path)) {
    const chunks = jsonChunks(text, codeMaxChars)
    if (chunks) return chunks
  }
  const isProse = MARKDOWN.test(path) || PROSE.test(path) || JSON_NAMES.test(path) || !/\.[^./]+$/.test(path)
  const limits = isProse ? prose : code
  const atoms = atomsOf(text, limits.maxChars)
  if (MARKDOWN.test(path)) return pack(atoms, markdownPieces(atoms), limits)
  return pack(atoms, isProse ? paragraphPieces(atoms) : codePieces(atoms), limits)
}
