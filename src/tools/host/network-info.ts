import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const networkInfo = defineTool({
  name: 'network_info',
  title: 'Describe the network',
  summary: 'Returns the network interfaces of this machine and their addresses.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ interfaces: z.array(z.strictObject({ name: outsideLine(z.string()), addresses: z.array(outsideLine(z.string())), mac: outsideLine(z.string()), internal: z.boolean() })) }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'network_info')],

  async run(_input, { host }) {
    const found = await host.network()
    return { interfaces: found.map(({ name, addresses, mac, isInternal }) => ({ name, addresses: [...addresses], mac, internal: isInternal })) }
  },
})
