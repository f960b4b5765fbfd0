/** Makes a file of the tree ready for the index: bounded, and with texts that the database keeps as they are. */

import type { CodeChunk, CodeSource } from '../../kernel/ports/code-index.ts'
import { MAX_CHUNKS, type Posting } from './posting-list.ts'
import { weigh } from './weigh.ts'
import type { WeighedFile } from './write-files.ts'

const MAX_PATH_CHARS = 4_096
const MAX_HASH_CHARS = 128
const MAX_NAME_CHARS = 512
/** A declaration of more is generated. */
const MAX_CHUNKS_KEPT = 10_000

/** The database cuts texts at U+0000 and has no lone surrogates. */
const UNKEPT = /[\p{Surrogate}\0]/u
const NOT_KEPT = /[\p{Surrogate}\p{Cc}]/gu

/** Whether a path comes back from the database as it went in. */
export const isKeptPath = (path: string): boolean => path.length > 0 && path.length <= MAX_PATH_CHARS && !UNKEPT.test(path)

const line = (value: number): number => (Number.isSafeInteger(value) && value > 0 ? value : 1)
const kept = (text: string): string => text.slice(0, MAX_NAME_CHARS).replace(NOT_KEPT, '')

function address(chunk: CodeChunk): WeighedFile['chunks'][number] {
  const { name, kind, container, startLine, endLine } = chunk
  return { name: kept(name), kind: kept(kind), container: kept(container), startLine: line(startLine), endLine: line(endLine) }
}

/** Weighs every declaration of a file, at most 10,000. */
export function weighFile({ path, contentHash }: CodeSource, chunks: readonly CodeChunk[]): WeighedFile & { readonly cut: boolean } {
  const taken = chunks.slice(0, Math.min(MAX_CHUNKS_KEPT, MAX_CHUNKS))
  const postings = new Map<number, Posting[]>()
  taken.forEach((chunk, ordinal) => {
    for (const [term, weight] of weigh(path, chunk)) {
      const known = postings.get(term)
      if (known === undefined) postings.set(term, [{ ordinal, weight }])
      else known.push({ ordinal, weight })
    }
  })
  return {
    path, contentHash: contentHash.slice(0, MAX_HASH_CHARS).replace(NOT_KEPT, ''), chunks: taken.map(address), postings,
    cut: taken.length < chunks.length,
  }
}
