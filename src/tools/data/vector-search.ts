import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { tenantOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { collectionName, hitCount, hitsAnswer, hitsOutput, readable } from './hits.ts'

export const vectorSearch = defineTool({
  name: 'vector_search',
  title: 'Search by vector',
  summary: "Finds your chunks nearest to a vector; vector_query takes words.",
  scope: 'vector:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['vectors'],

  input: z.strictObject({
    collection: collectionName,
    embedding: z.array(z.number()),
    k: hitCount,
  }),
  output: hitsOutput,
  examples: [{ title: 'The five nearest chunks', input: { collection: 'doc_chunks', embedding: [0.1, 0.2, 0.3], k: 5 } }],

  touches: ({ collection }) => [access('query', 'table', collection)],

  async run({ collection, embedding, k }, { vectors }, { caller, signal, may }) {
    const found = await vectors.near({ collection, tenant: tenantOf(caller), embedding, k, signal })
    return hitsAnswer(await readable(found, may), { collection, recall: 'vector', embedding: null })
  },
})
