import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const diskUsage = defineTool({
  name: 'disk_usage',
  title: 'Describe the disks',
  summary: 'Returns the size and the free space of each mounted file system, in bytes.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ disks: z.array(z.strictObject({ mount: outsideLine(z.string()), type: outsideLine(z.string()), total_bytes: z.number(), available_bytes: z.number() })) }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'disk_usage')],

  async run(_input, { host }) {
    const disks = await host.disks()
    return { disks: disks.map(({ mount, type, totalBytes, availableBytes }) => ({ mount, type, total_bytes: totalBytes, available_bytes: availableBytes })) }
  },
})
