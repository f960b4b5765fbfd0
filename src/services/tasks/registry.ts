/** The `Tasks` port over the store: what callers may ask of their own tasks. */

import type { Database, SqlValue } from '../../exits/disk/database.ts'
import { newId } from '../../exits/random.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ownerOf } from '../../kernel/owner.ts'
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
  const keep = async (caller: Caller, task: NewTask, check: (db: Database, owner: string) => void): Promise<TaskHandle> => {
    const [id, owner, nowMs] = [newId() + newId(), digestOf(ownerOf(caller)), clock.now()]
    await store.use('immediate', (db) => {
      fireDue(db, nowMs)
      check(db, owner)
      const row: readonly SqlValue[] = [id, owner, place, JSON.stringify({ ...keptCaller(caller), capabilities: task.capabilities }), task.kind, task.status, task.args, id, task.dueMs, task.repeatMs, nowMs, nowMs]
      db.run('INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, ?, NULL, NULL, 0, NULL, NULL)', ...row)
      evict(db, owner, nowMs)
    })
    onNew()
    return { taskId: id, status: task.status, kind: task.kind, createdMs: nowMs }
  }
  /** Whoever looks sees timers fired that are due, however long the next round takes. */
  const look = async <T>(work: (db: Database) => T): Promise<T> => {
    const due = await store.use('deferred', (db) => db.get("SELECT 1 AS due FROM task WHERE status = 'scheduled' AND due_ms <= ? LIMIT 1", clock.now()))
    return store.use(due === undefined ? 'deferred' : 'immediate', (db) => {
      if (due !== undefined) fireDue(db, clock.now())
      return work(db)
    })
  }

  return {
    start(caller, { name, args, capabilities }) {
      const text = JSON.stringify(args)
      if (Buffer.byteLength(text) > MAX_ARGS_BYTES) throw refusal('content.too-large', 'give the work smaller arguments')
      const task = { kind: name, status: 'working', args: text, dueMs: clock.now(), repeatMs: 0, capabilities } as const
      return keep(caller, task, (db, owner) => {
        const working = Number(db.get("SELECT count(*) AS n FROM task WHERE owner = ? AND status = 'working'", owner)?.['n'])
        if (working >= MAX_WORKING) throw refusal('task.full', `at most ${MAX_WORKING} tasks may be unfinished; wait for one, or cancel it`)
      })
    },
    async schedule(caller, draft) {
      const args = checkedPayload(draft, limits)
      const [dueMs, repeatMs] = [clock.now() + Math.round(draft.delaySeconds * 1000), Math.round(draft.repeatSeconds * 1000)]
      return keep(caller, { kind: TIMER, status: 'scheduled', args, dueMs, repeatMs }, (db, owner) => {
        if (pendingTimers(db, owner) >= limits.maxTimers) throw refusal('task.full', `at most ${limits.maxTimers} timers may be pending; cancel one`)
      })
    },
    get: (owner, taskId) => look((db) => find(db, digestOf(owner), taskId)),
    cancel: async (owner, taskId) => {
      const state = await store.use('immediate', (db) => {
        fireDue(db, clock.now())
        return cancel(db, { owner: digestOf(owner), taskId, nowMs: clock.now() })
      })
      if (state !== undefined) onCancel(taskId)
      return state
    },
    answer: (owner, taskId, replies) => store.use('immediate', (db) => {
      answer(db, { owner: digestOf(owner), taskId, replies })
      return find(db, digestOf(owner), taskId)
    }),
    list: (owner) => look((db) => {
      const rows = db.all(`SELECT ${HANDLE} FROM task WHERE owner = ? ORDER BY created_ms, rowid`, digestOf(owner))
      return rows.map(handleOf)
    }),
  }
}

function find(db: Database, owner: string, taskId: string): TaskState | undefined {
  const row = db.get(`SELECT ${STATE} FROM task WHERE id = ? AND owner = ?`, taskId, owner)
  return row && taskOf(row)
}

function cancel(db: Database, { owner, taskId, nowMs }: { readonly owner: string; readonly taskId: string; readonly nowMs: number }): TaskState | undefined {
  // Every occurrence of a repeated timer is of one series, and any of them may be named to end it.
  const sql = `UPDATE task SET status = 'cancelled', changed_ms = ?, lease_until_ms = 0 WHERE owner = ? AND status IN ('scheduled', 'working')
    AND series = (SELECT series FROM task WHERE id = ? AND owner = ?)`
  db.run(sql, nowMs, owner, taskId, owner)
  evict(db, owner, nowMs)
  return find(db, owner, taskId)
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
