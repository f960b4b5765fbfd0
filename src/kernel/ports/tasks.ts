/**
 * Work and timers that outlive the call that started them. Every method is asked for one owner; what belongs to
 * another reads as what is not there. Owners are the keys that `ownerOf` gives.
 */

import type { Caller } from '../caller.ts'
import type { Block } from '../answer.ts'
import type { Capabilities, Questions, Replies } from '../question.ts'
import type { Fields } from '../schema.ts'

/** What a client declares that polls tasks (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** `scheduled` is a timer that has not fired; the others are the words of MCP (extension `tasks`, TaskStatus). */
export const TASK_STATUSES = ['scheduled', 'working', 'input_required', 'completed', 'failed', 'cancelled'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export interface TaskHandle {
  /** Unguessable. */
  readonly taskId: string
  readonly status: TaskStatus
  /** `timer`, or the name of the tool that does the work. */
  readonly kind: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdMs: number
}

export interface TaskState extends TaskHandle {
  /** What the work answered, as the guards let it through; for a timer, its payload and when it fired. */
  readonly result: Fields | undefined
  /** Content blocks beside the result. */
  readonly blocks: readonly Block[]
  /** Why it failed: a refusal's text, or an incident. */
  readonly error: string | undefined
  /** Whether it failed by a fault of ours, and not because the work said no. */
  readonly isFault: boolean
  /** Questions that wait for an answer. */
  readonly questions: Questions
  /** Milliseconds since 1970-01-01 UTC. */
  readonly changedMs: number
}

export interface Work {
  /** Tool that is called for the owner, through every guard, with the policy of that time. */
  readonly name: string
  readonly args: Fields
  /** What the client can be asked while the work is done. */
  readonly capabilities?: Capabilities | undefined
}

export interface TimerDraft {
  readonly delaySeconds: number
  /** 0 fires once. */
  readonly repeatSeconds: number
  readonly payload: Fields
}

export interface Tasks {
  /** Kept before it returns. @throws Refusal `task.full`. */
  start(caller: Caller, work: Work): Promise<TaskHandle>
  /** Kept before it returns. @throws Refusal `task.full`, `content.too-large`; `input.invalid` for times over the limits. */
  schedule(caller: Caller, timer: TimerDraft): Promise<TaskHandle>
  get(owner: string, taskId: string): Promise<TaskState | undefined>
  /**
   * Stops work that runs, and a timer with all its repeats. What is over stays as it is.
   * @returns the state afterwards.
   */
  cancel(owner: string, taskId: string): Promise<TaskState | undefined>
  /** Brings answers to questions that are open; others are dropped. @returns the state afterwards. @throws Refusal `content.too-large`. */
  answer(owner: string, taskId: string, replies: Replies): Promise<TaskState | undefined>
  /** Oldest first. */
  list(owner: string): Promise<readonly TaskHandle[]>
}
