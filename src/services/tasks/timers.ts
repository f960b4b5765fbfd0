/**
 * Timers fire by one transaction that completes the occurrence and sets the next, so each fires exactly once,
 * however many processes look. What fell due while nobody looked fires once; repeats missed meanwhile are skipped.
 */

import { newId } from '../../exits/random.ts'
import { all, get, run } from '../../kernel/ports/store.ts'
import type { Steps, StoreRow } from '../../kernel/ports/store.ts'
import { evict } from './evict.ts'
import { TIMER } from './task-row.ts'

/** Timers of one transaction; the rest follows in the next. */
const AT_ONCE = 200

/** @returns how many fired; called within a transaction that holds the write lock. */
export function* fireDue(nowMs: number): Steps<number> {
  const due = yield* all("SELECT * FROM task WHERE status = 'scheduled' AND due_ms <= ? ORDER BY due_ms LIMIT ?", nowMs, AT_ONCE)
  for (const row of due) yield* fire(row, nowMs)
  for (const owner of new Set(due.map((row) => String(row['owner'])))) yield* evict(owner, nowMs)
  return due.length
}

function* fire(row: StoreRow, nowMs: number): Steps<void> {
  const [dueMs, repeatMs] = [Number(row['due_ms']), Number(row['repeat_ms'])]
  const next = repeatMs > 0 ? newId() : undefined
  const value = {
    payload: JSON.parse(String(row['args'])), due_at: new Date(dueMs).toISOString(), fired_at: new Date(nowMs).toISOString(),
    ...(next !== undefined && { next_task_id: next }),
  }
  yield* run("UPDATE task SET status = 'completed', result = ?, changed_ms = ? WHERE id = ?", JSON.stringify({ value }), nowMs, String(row['id']))
  if (next === undefined) return
  const missed = Math.floor((nowMs - dueMs) / repeatMs)
  const sql = `INSERT INTO task SELECT CAST(? AS TEXT), owner, place, caller, kind, 'scheduled', args, series, CAST(? AS BIGINT), repeat_ms, 0, 0, 0, 0,
    created_ms, CAST(? AS BIGINT), NULL, NULL, 0, NULL, NULL FROM task WHERE id = ?`
  yield* run(sql, next, dueMs + (missed + 1) * repeatMs, nowMs, String(row['id']))
}

/** When the next timer is due, in milliseconds since 1970-01-01 UTC. */
export function* nextDue(): Steps<number | undefined> {
  const at = (yield* get("SELECT min(due_ms) AS at FROM task WHERE status = 'scheduled'"))?.['at']
  return at === null || at === undefined ? undefined : Number(at)
}

/** Timers of an owner that have not fired. */
export function* pendingTimers(owner: string): Steps<number> {
  return Number((yield* get("SELECT count(*) AS n FROM task WHERE owner = ? AND status = 'scheduled' AND kind = ?", owner, TIMER))?.['n'])
}
