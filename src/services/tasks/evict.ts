/** What becomes of tasks in time: finished ones are kept for a day, and at most a hundred of one owner. */

import { run } from '../../kernel/ports/store.ts'
import type { Steps } from '../../kernel/ports/store.ts'

export const KEPT_MS = 86_400_000
export const KEPT_PER_OWNER = 100

const FINISHED = "status IN ('completed', 'failed', 'cancelled')"

/** Called within a transaction that holds the write lock. */
export function* evict(owner: string, nowMs: number): Steps<void> {
  yield* evictOld(nowMs)
  const beyond = `SELECT id FROM task WHERE owner = ? AND ${FINISHED} ORDER BY changed_ms DESC, rowid DESC LIMIT 1000000 OFFSET ${KEPT_PER_OWNER}`
  yield* run(`DELETE FROM task WHERE id IN (${beyond})`, owner)
}

/** Work that no process takes up for a week has lost its place. */
const MAX_IDLE_MS = 7 * KEPT_MS

export function* evictOld(nowMs: number): Steps<void> {
  const lost = "UPDATE task SET status = 'failed', error = 'no server took it up', changed_ms = ? WHERE status = 'working' AND due_ms < ? AND lease_until_ms < ?"
  yield* run(lost, nowMs, nowMs - MAX_IDLE_MS, nowMs - MAX_IDLE_MS)
  yield* run(`DELETE FROM task WHERE ${FINISHED} AND changed_ms < ?`, nowMs - KEPT_MS)
}
