import * as z from 'zod'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { answerOf, stateShape, taskId } from './state.ts'

export const taskGet = defineTool({
  name: 'task_get',
  title: 'Get a task',
  summary: 'Returns how a task of yours stands, and its result once it is completed.',
  scope: 'tasks:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  polls: true,
  uses: ['tasks'],

  input: z.strictObject({ task_id: taskId }),
  output: stateShape,
  examples: [{ title: 'One by its id', input: { task_id: 'q7c0Zk1yX2v3B4n5q7c0Zk1yX2v3B4n5' } }],

  touches: () => [],

  run: async ({ task_id }, { tasks }, { caller }) => answerOf(await tasks.get(ownerOf(caller), task_id)),
})
