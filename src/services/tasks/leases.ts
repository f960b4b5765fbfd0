/**
 * Who does which work. A lease is taken by one transaction and ends by itself, so the work of a process that was
 * killed is taken up by another; a fencing token keeps the first from writing should it still be alive (Kleppmann,
 * "How to do distributed locking", 2016).
 */

import type { Answer } from '../../kernel/answer.ts'
import { get, run } from '../../kernel/ports/store.ts'
import type { Steps } from '../../kernel/ports/store.ts'
import { evict } from './evict.ts'
import { claimOf } from './task-row.ts'
import type { Claim } from './task-row.ts'

/** Work that ended its process this often is not tried again. */
const MAX_ATTEMPTS = 3

export type Ending = { readonly is: 'completed'; readonly answer: Answer } | { readonly is: 'failed'; readonly error: string; readonly isFault: boolean }

export interface Claiming {
  readonly place: string
  readonly nowMs: number
  readonly leaseMs: number
}

/** A lease that ends later than any could was made before the clock was set back. */
const FREE = "FROM task WHERE status = 'working' AND place = ? AND due_ms <= ? AND (lease_until_ms <= ? OR lease_until_ms > ?)"

/** Whether there is work to take. A look costs no lock; taking does. */
export function* hasFree({ place, nowMs, leaseMs }: Claiming): Steps<boolean> {
  return (yield* get(`SELECT 1 AS free ${FREE} LIMIT 1`, place, nowMs, nowMs, nowMs + leaseMs)) !== undefined
}

/** Takes the work that has waited longest. Called, like everything here, within a transaction that holds the write lock. */
export function* claim({ place, nowMs, leaseMs }: Claiming): Steps<Claim | undefined> {
  for (;;) {
    const row = yield* get(`SELECT * ${FREE} ORDER BY due_ms, rowid LIMIT 1`, place, nowMs, nowMs, nowMs + leaseMs)
    if (row === undefined) return undefined
    if (Number(row['attempts']) < MAX_ATTEMPTS) {
      const taken = yield* get('UPDATE task SET fence = fence + 1, attempts = attempts + 1, lease_until_ms = ? WHERE id = ? RETURNING *', nowMs + leaseMs, String(row['id']))
      return taken && claimOf(taken)
    }
    yield* run("UPDATE task SET status = 'failed', error = ?, changed_ms = ? WHERE id = ?", 'the server ended while it worked on this, several times', nowMs, String(row['id']))
  }
}

const OWN = "id = ? AND fence = ? AND status = 'working'"

/** @returns whether the work is still this process's to do. */
export function* renew({ id, fence }: Claim, untilMs: number): Steps<boolean> {
  return (yield* run(`UPDATE task SET lease_until_ms = ? WHERE ${OWN}`, untilMs, id, fence)) > 0
}

/** Writes what the work came to. @returns false when it was cancelled, or is another's by now. */
export function* finish({ id, fence }: Claim, ending: Ending, nowMs: number): Steps<boolean> {
  const [result, error, isFault] = ending.is === 'completed' ? [resultText(ending.answer), null, 0] : [null, ending.error, Number(ending.isFault)]
  const sql = `UPDATE task SET status = ?, result = ?, error = ?, is_fault = ?, asks = NULL, replies = NULL, changed_ms = ?, lease_until_ms = 0 WHERE ${OWN}`
  const done = yield* run(sql, ending.is, result, error, isFault, nowMs, id, fence)
  const owner = (yield* get('SELECT owner FROM task WHERE id = ?', id))?.['owner']
  if (owner !== undefined) yield* evict(String(owner), nowMs)
  return done > 0
}

const resultText = ({ value, blocks }: Answer): string => JSON.stringify(blocks.length > 0 ? { value, blocks } : { value })

/** Gives the work back untried, for anybody to take from `notBeforeMs` on. @returns how often it was put off so far. */
export function* putOff({ id, fence }: Claim, notBeforeMs: number): Steps<number> {
  const sql = `UPDATE task SET lease_until_ms = 0, attempts = attempts - 1, waits = waits + 1, due_ms = ? WHERE ${OWN} RETURNING waits`
  return Number((yield* get(sql, notBeforeMs, id, fence))?.['waits'] ?? 0)
}
