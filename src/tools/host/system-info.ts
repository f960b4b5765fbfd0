import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const systemInfo = defineTool({
  name: 'system_info',
  title: 'Describe the system',
  summary: 'Returns the name, operating system, release and architecture of this machine.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ hostname: outsideLine(z.string()), platform: outsideLine(z.string()), distribution: outsideLine(z.string()), release: outsideLine(z.string()), architecture: outsideLine(z.string()) }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'system_info')],

  run: async (_input, { host }) => ({ ...(await host.system()) }),
})
