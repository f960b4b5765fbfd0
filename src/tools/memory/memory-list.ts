import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { echoed, ours, outsideText } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { metadata, namespace } from './names.ts'

export const memoryList = defineTool({
  name: 'memory_list',
  title: 'List memories',
  summary: 'Lists the memories of one of your namespaces, oldest first, without contents. memory_search shows those.',
  scope: 'memory:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['memories'],

  input: z.strictObject({ namespace }),
  output: z.strictObject({
    namespace: echoed(z.string()),
    entries: z.array(z.strictObject({ id: ours(z.string()), metadata: outsideText(metadata), created_at: ours(z.string()) })),
  }),
  examples: [{ title: 'Everything of a namespace', input: { namespace: 'prefs' } }],

  touches: (input) => [read('memory', input.namespace)],

  async run(input, { memories }, { caller }) {
    const entries = await memories.list(ownerOf(caller), input.namespace)
    return {
      namespace: input.namespace,
      entries: entries.map(({ id, metadata: about, createdMs }) => ({ id, metadata: about, created_at: new Date(createdMs).toISOString() })),
    }
  },
})
