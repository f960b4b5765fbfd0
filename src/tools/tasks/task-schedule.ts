import * as z from 'zod'
import { ours } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { status } from './state.ts'

export const taskSchedule = defineTool({
  name: 'task_schedule',
  title: 'Set a timer',
  summary: 'Sets a timer that completes with your payload. It outlives restarts: one missed meanwhile fires once, late, and further missed repeats are skipped.',
  scope: 'tasks:write',
  level: 'SAFE',
  effect: 'create',
  idempotent: false,
  openWorld: false,
  perMinute: 10,
  uses: ['tasks'],

  input: z.strictObject({
    delay_seconds: z.number().min(0),
    payload: z.record(z.string(), z.unknown()).default({}),
    repeat_seconds: z.number().min(0).default(0),
  }),
  output: z.strictObject({ taskId: ours(z.string()), status }),
  examples: [{ title: 'A reminder in a minute', input: { delay_seconds: 60, payload: { note: 'check the build' } } }],

  touches: () => [],

  async run({ delay_seconds: delaySeconds, repeat_seconds: repeatSeconds, payload }, { tasks }, { caller }) {
    const { taskId, status: now } = await tasks.schedule(caller, { delaySeconds, repeatSeconds, payload })
    return { taskId, status: now }
  },
})
