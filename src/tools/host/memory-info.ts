import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { defineTool } from '../../kernel/tool.ts'

export const memoryInfo = defineTool({
  name: 'memory_info',
  title: 'Describe the memory',
  summary: 'Returns how much memory and swap this machine has, and how much of it is free, in bytes.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ total_bytes: z.number(), available_bytes: z.number(), swap_total_bytes: z.number(), swap_free_bytes: z.number() }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'memory_info')],

  async run(_input, { host }) {
    const { totalBytes, availableBytes, swapTotalBytes, swapFreeBytes } = await host.memory()
    return { total_bytes: totalBytes, available_bytes: availableBytes, swap_total_bytes: swapTotalBytes, swap_free_bytes: swapFreeBytes }
  },
})
