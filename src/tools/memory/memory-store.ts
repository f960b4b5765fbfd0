import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { metadata, namespace, optionalId } from './names.ts'

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store a memory',
  summary: 'Keeps a text in one of your namespaces. The same text keeps its id; with an id, that memory is replaced.',
  scope: 'memory:write',
  level: 'SAFE',
  effect: 'create',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['memories'],

  input: z.strictObject({
    namespace,
    content: z.string().min(1).max(100_000_000),
    metadata: metadata.default({}),
    id: optionalId,
  }),
  output: z.strictObject({ id: ours(z.string()), status: z.enum(['created', 'unchanged', 'updated']) }),
  examples: [{ title: 'A preference', input: { namespace: 'prefs', content: 'prefers metric units' } }],

  touches: (input) => [access('write', 'memory', input.namespace)],

  async run({ id, ...draft }, { memories }, { caller }) {
    return { ...(await memories.store(ownerOf(caller), { ...draft, id: id === '' ? undefined : id })) }
  },
})
