import * as z from 'zod'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { answerOf, stateShape, taskId } from './state.ts'

export const taskUpdate = defineTool({
  name: 'task_update',
  title: 'Update a task',
  summary: 'Cancels a task: work stops, a timer ends with its repeats, and what is over stays as it is.',
  scope: 'tasks:write',
  level: 'SAFE',
  effect: 'create',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['tasks'],

  input: z.strictObject({ task_id: taskId, action: z.literal('cancel') }),
  output: stateShape,
  examples: [{ title: 'Cancel one', input: { task_id: 'q7c0Zk1yX2v3B4n5q7c0Zk1yX2v3B4n5', action: 'cancel' } }],

  touches: () => [],

  run: async ({ task_id }, { tasks }, { caller }) => answerOf(await tasks.cancel(ownerOf(caller), task_id)),
})
