import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const processList = defineTool({
  name: 'process_list',
  title: 'List the processes',
  summary: 'Returns the programs that run now, the largest first. Their arguments are not shown.',
  scope: 'host:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['host'],

  input: z.strictObject({ max_results: z.int().min(1).max(500).default(50) }),
  output: z.strictObject({ processes: z.array(z.strictObject({ pid: z.int(), parent_pid: z.int(), name: outsideLine(z.string()), state: outsideLine(z.string()), memory_bytes: z.number(), cpu_seconds: z.number() })), count: z.int() }),
  examples: [{ title: 'This machine', input: {} }],

  touches: () => [access('read', 'host', 'process_list')],

  async run({ max_results: max }, { host }) {
    const { processes, count } = await host.processes(max)
    return { processes: processes.map(({ pid, parentPid, name, state, memoryBytes, cpuSeconds }) => ({ pid, parent_pid: parentPid, name, state, memory_bytes: memoryBytes, cpu_seconds: cpuSeconds })), count }
  },
})
