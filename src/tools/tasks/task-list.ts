import * as z from 'zod'
import { ours } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { status } from './state.ts'

export const taskList = defineTool({
  name: 'task_list',
  title: 'List tasks',
  summary: 'Lists your tasks and timers, oldest first. Finished ones are kept for a day.',
  scope: 'tasks:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  polls: true,
  uses: ['tasks'],

  input: z.strictObject({}),
  output: z.strictObject({ tasks: z.array(z.strictObject({ taskId: ours(z.string()), status, kind: ours(z.string()) })) }),
  examples: [{ title: 'All of them', input: {} }],

  touches: () => [],

  async run(_input, { tasks }, { caller }) {
    const all = await tasks.list(ownerOf(caller))
    return { tasks: all.map(({ taskId, status: now, kind }) => ({ taskId, status: now, kind })) }
  },
})
