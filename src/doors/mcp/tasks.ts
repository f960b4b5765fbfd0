/**
 * The Tasks extension (SEP-2663): tasks of the one registry, for clients that declare it. What a method asks for is
 * a call of the tool that does the same, so it is guarded, counted and recorded like that.
 */

import type { App } from '../../app/create-app.ts'
import type { Arrival } from '../../kernel/call.ts'
import type { Caller } from '../../kernel/caller.ts'
import { isObject } from '../../kernel/json-object.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { TASKS_EXTENSION } from '../../kernel/ports/tasks.ts'
import type { TaskHandle, TaskState } from '../../kernel/ports/tasks.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Params } from './message.ts'

export const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const
type TaskMethod = (typeof TASK_METHODS)[number]

/** How long a finished task is kept, and how often a client should look. */
const [TTL_MS, POLL_MS] = [86_400_000, 1_000]

export const EXTENSIONS = { [TASKS_EXTENSION]: {} } as const

/** Whether this deployment has tasks to look at. */
export const servesTasks = ({ registry }: Pick<App, 'registry'>): boolean => registry.enabled.some(({ list, name }) => list === 'tools' && name === 'task_get')

export const declaresTasks = ({ capabilities }: Arrival): boolean => capabilities?.extensions?.[TASKS_EXTENSION] !== undefined

const time = (ms: number): string => new Date(ms).toISOString()

/** What a call gives that goes on as a task. */
export const createdTask = ({ taskId, status, createdMs }: TaskHandle): Params => ({
  resultType: 'task', taskId, status, createdAt: time(createdMs), lastUpdatedAt: time(createdMs), ttlMs: TTL_MS, pollIntervalMs: POLL_MS,
})

export interface TaskAsk {
  readonly method: TaskMethod
  readonly params: Params
  readonly caller: Caller
  readonly arrival: Arrival
}

export type TaskWire = { readonly result: Params } | { readonly fault: 'unknown' | 'failed' } | { readonly refused: Refusal }

const UNKNOWN: ReadonlySet<string> = new Set(['component.unknown', 'input.invalid', 'task.missing'])

/** Answers one method. What is foreign, hidden or was never there is `unknown`. */
export async function answerTask(app: App, { method, params, caller, arrival }: TaskAsk): Promise<TaskWire> {
  const { taskId, inputResponses } = params
  if (typeof taskId !== 'string') return { fault: 'unknown' }
  const isCancel = method === 'tasks/cancel'
  const outcome = await app.dispatch({ kind: 'tool', name: isCancel ? 'task_update' : 'task_get', args: { task_id: taskId, ...(isCancel && { action: 'cancel' }) } }, caller, arrival)
  if (outcome.is === 'fault') return { fault: 'failed' }
  if (outcome.is === 'refused' && !UNKNOWN.has(outcome.refusal.code)) return { refused: outcome.refusal }
  if (outcome.is !== 'ok') return { fault: 'unknown' }
  if (isCancel) return { result: {} }
  if (method === 'tasks/update') {
    if (isObject(inputResponses)) await app.tasks.answer(ownerOf(caller), taskId, inputResponses)
    return { result: {} }
  }
  const state = await app.tasks.get(ownerOf(caller), taskId)
  return state ? { result: detailed(state) } : { fault: 'unknown' }
}

/** A tool that said no has completed, in the words of the extension; only a fault has failed. A timer is at work until it fires. */
function detailed(state: TaskState): Params {
  const { taskId, status, createdMs, changedMs, error, isFault, questions } = state
  const isNo = status === 'failed' && !isFault
  return {
    taskId, status: isNo ? 'completed' : status === 'scheduled' ? 'working' : status,
    createdAt: time(createdMs), lastUpdatedAt: time(changedMs), ttlMs: TTL_MS, pollIntervalMs: POLL_MS,
    ...(status === 'completed' && { result: resultOf(state) }),
    ...(isNo && { result: { resultType: 'complete', content: [{ type: 'text', text: error ?? REFUSALS['tool.failed'].says }], isError: true } }),
    ...(status === 'failed' && isFault && { error: { code: -32_603, message: error ?? 'internal error' } }),
    ...(status === 'input_required' && { inputRequests: questions }),
  }
}

function resultOf({ result = {}, blocks }: TaskState): Params {
  const isPlain = Object.keys(result).length === 0 && blocks.length > 0
  return { resultType: 'complete', ...(isPlain ? { content: blocks } : { content: [{ type: 'text', text: JSON.stringify(result) }, ...blocks], structuredContent: result }) }
}
