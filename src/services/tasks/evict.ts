/** What becomes of tasks in time: finished ones are kept for a day, and at most a hundred of one owner. */

import type { Database } from '../../exits/disk/database.ts'

export const KEPT_MS = 86_400_000
export const KEPT_PER_OWNER = 100

const FINISHED = "status IN ('completed', 'failed', 'cancelled')"

/** Called within a transaction that holds the write lock. */
export function evict(db: Database, owner: string, nowMs: number): void {
  evictOld(db, nowMs)
  const beyond = `SELECT id FROM task WHERE owner = ? AND ${FINISHED} ORDER BY changed_ms DESC, rowid DESC LIMIT -1 OFFSET ${KEPT_PER_OWNER}`
  db.run(`DELETE FROM task WHERE id IN (${beyond})`, owner)
}

/** Work that no process takes up for a week has lost its place. */
const MAX_IDLE_MS = 7 * KEPT_MS

export function evictOld(db: Database, nowMs: number): void {
  const lost = "UPDATE task SET status = 'failed', error = 'no server took it up', changed_ms = ? WHERE status = 'working' AND due_ms < ? AND lease_until_ms < ?"
  db.run(lost, nowMs, nowMs - MAX_IDLE_MS, nowMs - MAX_IDLE_MS)
  db.run(`DELETE FROM task WHERE ${FINISHED} AND changed_ms < ?`, nowMs - KEPT_MS)
}
