/** How search hits are answered: each with where it came from, and the texts as one numbered, fenced text. */

import * as z from 'zod'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import type { Found, Recall } from '../../kernel/ports/vectors.ts'

/** Whatever is not on the operator's list is refused, so the schema says no more. */
export const collectionName = z.string()
export const hitCount = z.int().min(1).max(10_000).default(10)
export const queryText = z.string()

/** `metadata` is a tree of short values: what was searched, and each hit's source, place, score and freshness. */
export const hitsOutput = z.strictObject({ metadata: outsideLine(z.looseObject({})), content: untrusted(z.string()) })

/** What kind of search was really made. */
type Kind = 'vector' | 'semantic' | 'lexical' | 'semantic+keyword' | 'lexical+keyword'

/** An embedder without meaning is called what it is. */
export const branchOf = ({ semantic }: Recall): 'semantic' | 'lexical' => (semantic ? 'semantic' : 'lexical')

interface Asked {
  readonly collection: string
  readonly recall: Kind
  readonly embedding: string | null
}

export function hitsAnswer({ hits, truncated }: Found, { collection, recall, embedding }: Asked): z.input<typeof hitsOutput> {
  return {
    metadata: {
      collection, count: hits.length, recall, embedding, truncated,
      hits: hits.map(({ source, chunkIndex, startLine, endLine, score, indexedAt, stale }) => ({
        source, chunk_index: chunkIndex, start_line: startLine, end_line: endLine, score, indexed_at: indexedAt, stale,
      })),
    },
    content: hits.map(({ content }, index) => `[${index + 1}]\n${content}`).join('\n\n'),
  }
}
