import * as z from 'zod'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { setName, setOutput } from './item.ts'

export const workingsetGet = defineTool({
  name: 'workingset_get',
  title: 'Read a working set',
  summary: 'Returns the references in a working set of yours.',
  scope: 'context:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['workingSets'],

  input: z.strictObject({ name: setName }),
  output: setOutput,
  examples: [{ title: 'A set by its name', input: { name: 'bug' } }],

  // Owned by the caller by construction: there is no name that leads to the set of somebody else.
  touches: () => [],

  async run({ name }, { workingSets }, { caller }) {
    const { items } = await workingSets.get(ownerOf(caller), name)
    return { name, item_count: items.length, items: [...items] }
  },
})
