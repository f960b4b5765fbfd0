import * as z from 'zod'
import { ownerOf } from '../../kernel/owner.ts'
import { readsSource } from '../../kernel/ports/sources.ts'
import { refusal } from '../../kernel/refusal.ts'
import { defineTool } from '../../kernel/tool.ts'
import { pinned, setName, setOutput } from './item.ts'

/** Items of one call; a set may hold more. */
const MAX_AT_ONCE = 200

export const workingsetUpdate = defineTool({
  name: 'workingset_update',
  title: 'Change a working set',
  summary: 'Pins, unpins or clears references in a working set of yours.',
  scope: 'context:write',
  level: 'SAFE',
  effect: 'create',
  idempotent: false,
  openWorld: false,
  perMinute: 30,
  uses: ['workingSets'],

  input: z.strictObject({
    name: setName,
    action: z.enum(['pin', 'unpin', 'clear']),
    items: z.array(pinned).refine(({ length }) => length <= MAX_AT_ONCE, { params: { rule: `at most ${MAX_AT_ONCE} items` } }).optional(),
  }),
  output: setOutput,
  examples: [{ title: 'Pin a source file', input: { name: 'bug', action: 'pin', items: [{ kind: 'repo_file', identifier: 'src/app.py' }] } }],

  touches: ({ action, items = [] }) => (action === 'pin' ? items.map(readsSource) : []),

  async run({ name, action, items = [] }, { workingSets }, { caller }) {
    if (action !== 'clear' && items.length === 0) throw refusal('input.invalid', 'items: at least one')
    const owner = ownerOf(caller)
    const set = action === 'clear' ? await workingSets.clear(owner, name) : await workingSets[action](owner, name, items)
    return { name, item_count: set.items.length, items: [...set.items] }
  },
})
