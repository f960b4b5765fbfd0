/** The state of a task as two tools answer it. */

import * as z from 'zod'
import { ours, outsideText } from '../../kernel/leaf.ts'
import type { TaskState } from '../../kernel/ports/tasks.ts'
import { refusal } from '../../kernel/refusal.ts'

export const taskId = z.string().min(1).max(128)
export const status = ours(z.string())

export const stateShape = z.strictObject({
  taskId: ours(z.string()),
  status,
  // Its texts were fenced when the work was done, or are the caller's own.
  result: outsideText(z.record(z.string(), z.unknown())).nullable(),
  error: ours(z.string()).nullable(),
})

/** @throws Refusal `task.missing`: what is foreign and what was never there are one answer. */
export function answerOf(state: TaskState | undefined): z.input<typeof stateShape> {
  if (state === undefined) throw refusal('task.missing', 'task_list tells the tasks of this caller')
  return { taskId: state.taskId, status: state.status, result: state.result ?? null, error: state.error ?? null }
}
