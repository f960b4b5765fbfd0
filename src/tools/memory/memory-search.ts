import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { ours, outsideText, untrusted } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { metadata, namespace } from './names.ts'

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memories',
  summary: 'Finds the memories of one of your namespaces that are nearest to a query.',
  scope: 'memory:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['memories'],

  input: z.strictObject({
    namespace,
    query: z.string().min(1).max(10_000),
    k: z.int().min(1).default(5),
  }),
  output: z.strictObject({
    recall: z.enum(['keyword', 'semantic']),
    results: z.array(z.strictObject({
      id: ours(z.string()),
      snippet: untrusted(z.string()),
      score: z.number(),
      metadata: outsideText(metadata),
    })),
  }),
  examples: [{ title: 'What was said of units', input: { namespace: 'prefs', query: 'units' } }],

  touches: (input) => [read('memory', input.namespace)],

  async run(input, { memories }, { caller }) {
    const { recall, hits } = await memories.search(ownerOf(caller), input)
    return { recall, results: [...hits] }
  },
})
