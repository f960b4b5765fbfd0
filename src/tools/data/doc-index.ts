import * as z from 'zod'
import { access, read } from '../../kernel/access.ts'
import { echoed, ours } from '../../kernel/leaf.ts'
import type { IndexReport } from '../../kernel/ports/vectors.ts'
import { tenantOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { collectionName } from './hits.ts'

export const docIndex = defineTool({
  name: 'doc_index',
  title: 'Index documents',
  summary: 'Indexes documents for vector_query and hybrid_query.',
  scope: 'vector:write',
  level: 'SAFE',
  effect: 'create',
  idempotent: true,
  openWorld: false,
  perMinute: 6,
  rate: 'VECTOR_INDEX',
  uses: ['vectors'],

  input: z.strictObject({
    collection: collectionName,
    path_prefix: z.string().default(''),
  }),
  output: z.strictObject({
    collection: echoed(z.string()),
    files_indexed: z.int(),
    chunks_written: z.int(),
    chunks_reused: z.int(),
    truncated: z.boolean(),
    summary: ours(z.string()),
  }),
  examples: [{ title: 'One folder', input: { collection: 'doc_chunks', path_prefix: 'handbook/' } }],

  touches: ({ collection }) => [access('ingest', 'table', collection)],

  async run({ collection, path_prefix: prefix }, { vectors }, { caller, signal, progress, may }) {
    const mayRead = (path: string): boolean | Promise<boolean> => may(read('document', path))
    const report = await vectors.index({ collection, tenant: tenantOf(caller), prefix, signal, progress, mayRead })
    const { filesIndexed, chunksWritten, chunksReused, truncated } = report
    return {
      collection, files_indexed: filesIndexed, chunks_written: chunksWritten, chunks_reused: chunksReused, truncated,
      summary: `${sentenceOf(report)} Chunks removed: ${report.chunksRemoved}. Embedding: ${vectors.recall.label}.`,
    }
  },
})

function sentenceOf({ truncated, limit, chunksWritten, chunksRemoved }: IndexReport): string {
  if (limit === 'files' || limit === 'chunks') return `The collection holds as many ${limit} as one run takes, and nothing of the documents after them; index them by path_prefix.`
  if (truncated) return 'The time was over before the end; run it again to go on.'
  return chunksWritten + chunksRemoved === 0 ? 'Nothing changed: the collection was in line with the documents.' : 'The collection is in line with the documents.'
}
