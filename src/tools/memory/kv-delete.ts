import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { key } from './names.ts'

export const kvDelete = defineTool({
  name: 'kv_delete',
  title: 'Delete a value',
  summary: 'Deletes the value under an exact key of yours. "deleted" is false where there is none.',
  scope: 'memory:write',
  level: 'SAFE',
  effect: 'delete',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['keyValues'],

  input: z.strictObject({ key }),
  output: z.strictObject({ key: echoed(z.string()), deleted: z.boolean() }),
  examples: [{ title: 'A state', input: { key: 'run:42:state' } }],

  touches: (input) => [access('write', 'memory', `kv/${input.key}`)],

  async run(input, { keyValues }, { caller }) {
    return { key: input.key, deleted: await keyValues.remove(ownerOf(caller), input.key) }
  },
})
