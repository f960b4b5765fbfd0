import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { echoed, ours, untrusted } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { refusal } from '../../kernel/refusal.ts'
import { defineTool } from '../../kernel/tool.ts'
import { key } from './names.ts'

export const kvGet = defineTool({
  name: 'kv_get',
  title: 'Get a value',
  summary: 'Returns the value under an exact key of yours, fenced as data. What has expired is not found.',
  scope: 'memory:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  uses: ['keyValues'],

  input: z.strictObject({ key }),
  output: z.strictObject({
    metadata: z.strictObject({ key: echoed(z.string()), expires_at: ours(z.string()).nullable() }),
    content: untrusted(z.string()),
  }),
  examples: [{ title: 'A state', input: { key: 'run:42:state' } }],

  touches: (input) => [read('memory', `kv/${input.key}`)],

  async run(input, { keyValues }, { caller }) {
    const kept = await keyValues.get(ownerOf(caller), input.key)
    if (kept === undefined) throw refusal('memory.missing', 'kv_set keeps a value')
    const { value, expiresMs } = kept
    return { metadata: { key: input.key, expires_at: expiresMs === undefined ? null : new Date(expiresMs).toISOString() }, content: value }
  },
})
