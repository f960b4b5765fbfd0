/** Work on a database that other processes write to as well: a lock is waited for without holding up the thread. */

import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds that SQLite itself waits, blocking; keep it short where this file does the waiting. */
export const SHORT_BUSY_MS = 50
const MAX_WAIT_MS = 60_000
const [SHORT_PAUSE_MS, LONG_PAUSE_MS] = [1, 25]

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/**
 * Runs `work` until no lock is in its way, with random pauses, so that two processes do not keep missing the same
 * gaps. Work that failed on a lock must have changed nothing.
 * @throws what `work` throws; SQLite's `SQLITE_BUSY` after a minute.
 */
export async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(SHORT_PAUSE_MS + Math.random() * (LONG_PAUSE_MS - SHORT_PAUSE_MS))
    }
  }
}
