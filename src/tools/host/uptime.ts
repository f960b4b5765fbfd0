import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { defineTool } from '../../kernel/tool.ts'

export const uptime = defineTool({
  name: 'uptime',
  title: 'Tell the uptime',
  summary: 'Returns for how many seconds this machine has been running.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ seconds: z.number() }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'uptime')],

  run: async (_input, { host }) => ({ seconds: await host.uptime() }),
})
