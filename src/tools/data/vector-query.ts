import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { tenantOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { branchOf, collectionName, hitCount, hitsAnswer, hitsOutput, queryText, readable } from './hits.ts'

export const vectorQuery = defineTool({
  name: 'vector_query',
  title: 'Search by likeness',
  summary: "Finds your chunks most like a question. hybrid_query also matches exact words.",
  scope: 'vector:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['vectors'],

  input: z.strictObject({ collection: collectionName, query: queryText, k: hitCount }),
  output: hitsOutput,
  examples: [{ title: 'A question', input: { collection: 'doc_chunks', query: 'how long do refunds take?', k: 5 } }],

  // Authorised before `run`, so a caller that is denied never causes a request to an embedding endpoint.
  touches: ({ collection }) => [access('query', 'table', collection)],

  async run({ collection, query, k }, { vectors }, { caller, signal, may }) {
    const found = await vectors.alike({ collection, tenant: tenantOf(caller), query, k, signal })
    return hitsAnswer(await readable(found, may), { collection, recall: branchOf(vectors.recall), embedding: vectors.recall.label })
  },
})
