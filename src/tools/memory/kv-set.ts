import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed, ours } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { key } from './names.ts'

export const kvSet = defineTool({
  name: 'kv_set',
  title: 'Set a value',
  summary: 'Keeps a value under an exact key, in place of what was there, for ttl_seconds; 0 is for good.',
  scope: 'memory:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['keyValues'],

  input: z.strictObject({
    key,
    value: z.string().max(100_000_000),
    ttl_seconds: z.int().min(0).default(0),
  }),
  output: z.strictObject({ key: echoed(z.string()), expires_at: ours(z.string()).nullable() }),
  examples: [{ title: 'A state for ten minutes', input: { key: 'run:42:state', value: 'phase2', ttl_seconds: 600 } }],

  touches: (input) => [access('write', 'memory', `kv/${input.key}`)],

  async run(input, { keyValues }, { caller }) {
    const { expiresMs } = await keyValues.set(ownerOf(caller), { key: input.key, value: input.value, ttlSeconds: input.ttl_seconds })
    return { key: input.key, expires_at: expiresMs === undefined ? null : new Date(expiresMs).toISOString() }
  },
})
