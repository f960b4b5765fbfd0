/** How search hits are answered: each with where it came from, and the texts as one numbered, fenced text. */

import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import type { Found, Recall } from '../../kernel/ports/vectors.ts'
import type { CallContext } from '../../kernel/tool.ts'

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

/**
 * Without chunks of documents that the caller may no longer read: what was indexed is as old as the grants of its day.
 * Chunks of other writers are of no document here, and belong to the tenant alone.
 */
export async function readable({ hits, truncated }: Found, may: CallContext['may']): Promise<Found> {
  const open = await Promise.all(hits.map(({ source, stale }) => source === null || stale === null || may(read('document', source))))
  return { truncated, hits: hits.filter((_, index) => open[index] === true) }
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
