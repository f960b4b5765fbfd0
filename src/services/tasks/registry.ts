/** The `Tasks` port over the store: what callers may ask of their own tasks. */

import { newId } from '../../exits/random.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { all, get, run } from '../../kernel/ports/store.ts'
import type { Steps, StoreValue } from '../../kernel/ports/store.ts'
import type { TaskHandle, TaskState, Tasks, TimerDraft } from '../../kernel/ports/tasks.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { refusal } from '../../kernel/refusal.ts'
import { evict } from './evict.ts'
import { answer } from './questions.ts'
import { HANDLE, STATE, TIMER, digestOf, handleOf, keptCaller, taskOf } from './task-row.ts'
import type { TaskStore } from './task-store.ts'
import { fireDue, pendingTimers } from './timers.ts'

export interface TaskLimits {
  readonly maxDelaySeconds: number
  readonly minRepeatSeconds: number
  /** Timers of one owner that have not fired. */
  readonly maxTimers: number
  /** Of a payload's JSON. */
  readonly maxPayloadBytes: number
}

/** Work of one owner that is not over. */
const MAX_WORKING = 20
/** Arguments of work, as JSON. */
const MAX_ARGS_BYTES = 1_000_000

export interface RegistryParts {
  readonly store: TaskStore
  readonly limits: TaskLimits
  /** Where this process serves; its work is done by processes that serve the same. */
  readonly place: string
  readonly clock: Pick<Clock, 'now'>
  /** Called when there is something new to do. */
  readonly onNew: () => void
  /** Called with the id of work that was cancelled. */
  readonly onCancel: (taskId: string) => void
}

interface NewTask {
  readonly kind: string
  readonly status: 'working' | 'scheduled'
  readonly args: string
  readonly dueMs: number
  readonly repeatMs: number
  readonly capabilities?: Capabilities | undefined
}

export function createRegistry({ store, limits, place, clock, onNew, onCancel }: RegistryParts): Tasks {
  const keep = async (caller: Caller, task: NewTask, check: (owner: string) => Steps<void>): Promise<TaskHandle> => {
    const [id, owner, nowMs] = [newId() + newId(), digestOf(ownerOf(caller)), clock.now()]
    await store.use('write', function* () {
      yield* fireDue(nowMs)
      yield* check(owner)
      const row: readonly StoreValue[] = [id, owner, place, JSON.stringify({ ...keptCaller(caller), capabilities: task.capabilities }), task.kind, task.status, task.args, id, task.dueMs, task.repeatMs, nowMs, nowMs]
      yield* run('INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?, NULL, NULL, 0, NULL, NULL)', ...row)
      yield* evict(owner, nowMs)
    })
    onNew()
    return { taskId: id, status: task.status, kind: task.kind, createdMs: nowMs }
  }
  /** Whoever looks sees timers fired that are due, however long the next round takes. */
  const look = async <T>(work: () => Steps<T>): Promise<T> => {
    const due = await store.use('read', () => get("SELECT 1 AS due FROM task WHERE status = 'scheduled' AND due_ms <= ? LIMIT 1", clock.now()))
    return store.use(due === undefined ? 'read' : 'write', function* () {
      if (due !== undefined) yield* fireDue(clock.now())
      return yield* work()
    })
  }

  return {
    start(caller, { name, args, capabilities }) {
      const text = JSON.stringify(args)
      if (Buffer.byteLength(text) > MAX_ARGS_BYTES) throw refusal('content.too-large', 'give the work smaller arguments')
      const task = { kind: name, status: 'working', args: text, dueMs: clock.now(), repeatMs: 0, capabilities } as const
      return keep(caller, task, function* (owner) {
        const working = Number((yield* get("SELECT count(*) AS n FROM task WHERE owner = ? AND status = 'working'", owner))?.['n'])
        if (working >= MAX_WORKING) throw refusal('task.full', `at most ${MAX_WORKING} tasks may be unfinished; wait for one, or cancel it`)
      })
    },
    async schedule(caller, draft) {
      const args = checkedPayload(draft, limits)
      const [dueMs, repeatMs] = [clock.now() + Math.round(draft.delaySeconds * 1000), Math.round(draft.repeatSeconds * 1000)]
      return keep(caller, { kind: TIMER, status: 'scheduled', args, dueMs, repeatMs }, function* (owner) {
        if ((yield* pendingTimers(owner)) >= limits.maxTimers) throw refusal('task.full', `at most ${limits.maxTimers} timers may be pending; cancel one`)
      })
    },
    get: async (owner, taskId) => (mayBeId(taskId) ? look(() => find(digestOf(owner), taskId)) : undefined),
    cancel: async (owner, taskId) => {
      if (!mayBeId(taskId)) return undefined
      const state = await store.use('write', function* () {
        yield* fireDue(clock.now())
        return yield* cancel({ owner: digestOf(owner), taskId, nowMs: clock.now() })
      })
      if (state !== undefined) onCancel(taskId)
      return state
    },
    answer: async (owner, taskId, replies) => {
      if (!mayBeId(taskId)) return undefined
      return store.use('write', function* () {
        yield* answer({ owner: digestOf(owner), taskId, replies })
        return yield* find(digestOf(owner), taskId)
      })
    },
    list: (owner) => look(function* () {
      const rows = yield* all(`SELECT ${HANDLE} FROM task WHERE owner = ? ORDER BY created_ms, rowid`, digestOf(owner))
      return rows.map(handleOf)
    }),
  }
}

/** A library may cut a text at U+0000, and a server takes none. */
const mayBeId = (taskId: string): boolean => !taskId.includes('\0')

function* find(owner: string, taskId: string): Steps<TaskState | undefined> {
  const row = yield* get(`SELECT ${STATE} FROM task WHERE id = ? AND owner = ?`, taskId, owner)
  return row && taskOf(row)
}

function* cancel({ owner, taskId, nowMs }: { readonly owner: string; readonly taskId: string; readonly nowMs: number }): Steps<TaskState | undefined> {
  // Every occurrence of a repeated timer is of one series, and any of them may be named to end it.
  const sql = `UPDATE task SET status = 'cancelled', changed_ms = ?, lease_until_ms = 0 WHERE owner = ? AND status IN ('scheduled', 'working')
    AND series = (SELECT series FROM task WHERE id = ? AND owner = ?)`
  yield* run(sql, nowMs, owner, taskId, owner)
  yield* evict(owner, nowMs)
  return yield* find(owner, taskId)
}

function checkedPayload({ delaySeconds, repeatSeconds, payload }: TimerDraft, limits: TaskLimits): string {
  if (!(delaySeconds >= 0 && delaySeconds <= limits.maxDelaySeconds)) throw refusal('input.invalid', `delay_seconds: 0 to ${limits.maxDelaySeconds}`)
  if (repeatSeconds !== 0 && !(repeatSeconds >= limits.minRepeatSeconds && repeatSeconds <= limits.maxDelaySeconds)) {
    throw refusal('input.invalid', `repeat_seconds: 0, or ${limits.minRepeatSeconds} to ${limits.maxDelaySeconds}`)
  }
  const text = JSON.stringify(payload)
  if (!(Buffer.byteLength(text) <= limits.maxPayloadBytes)) throw refusal('content.too-large', `at most ${limits.maxPayloadBytes} bytes of payload`)
  return text
}
