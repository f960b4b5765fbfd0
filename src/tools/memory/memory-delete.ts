import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { memoryId, namespace } from './names.ts'

export const memoryDelete = defineTool({
  name: 'memory_delete',
  title: 'Delete a memory',
  summary: 'Deletes one memory of yours. "deleted" is false where there is none under that id.',
  scope: 'memory:write',
  level: 'SAFE',
  effect: 'delete',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['memories'],

  input: z.strictObject({ namespace, id: memoryId }),
  output: z.strictObject({ id: echoed(z.string()), deleted: z.boolean() }),
  examples: [{ title: 'One by its id', input: { namespace: 'prefs', id: 'q7c0Zk1yX2v3B4n5' } }],

  touches: (input) => [access('write', 'memory', input.namespace)],

  async run({ namespace: space, id }, { memories }, { caller }) {
    return { id, deleted: await memories.remove(ownerOf(caller), space, id) }
  },
})
