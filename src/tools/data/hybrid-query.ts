import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { tenantOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { branchOf, collectionName, hitCount, hitsAnswer, hitsOutput, queryText, readable } from './hits.ts'

export const hybridQuery = defineTool({
  name: 'hybrid_query',
  title: 'Hybrid search',
  summary: "Finds your chunks by likeness and keywords in one ranking.",
  scope: 'vector:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['vectors'],

  input: z.strictObject({ collection: collectionName, query: queryText, k: hitCount }),
  output: hitsOutput,
  examples: [{ title: 'A phrase', input: { collection: 'doc_chunks', query: 'refund window', k: 5 } }],

  // Authorised before `run`, so a caller that is denied never causes a request to an embedding endpoint.
  touches: ({ collection }) => [access('query', 'table', collection)],

  async run({ collection, query, k }, { vectors }, { caller, signal, may }) {
    const found = await vectors.fused({ collection, tenant: tenantOf(caller), query, k, signal })
    return hitsAnswer(await readable(found, may), { collection, recall: `${branchOf(vectors.recall)}+keyword`, embedding: vectors.recall.label })
  },
})
