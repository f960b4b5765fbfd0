import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const cpuInfo = defineTool({
  name: 'cpu_info',
  title: 'Describe the processors',
  summary: 'Returns the model and number of processors, and the load of the last minutes.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({}),
  output: z.strictObject({ model: outsideLine(z.string()), cores: z.int(), speed_mhz: z.number(), load: z.array(z.number()) }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'cpu_info')],

  async run(_input, { host }) {
    const { speedMhz, load, ...cpu } = await host.cpu()
    return { ...cpu, speed_mhz: speedMhz, load: [...load] }
  },
})
