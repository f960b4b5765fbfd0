/**
 * One writer at a time, whichever process it lives in: a transaction of the ledger's database is the lock, so
 * the system lets go of it when its holder is killed. It is waited for without blocking the thread, and held
 * across the write of a file.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

/** A holder keeps the lock for a file's write and sync, so a minute means that something is broken. */
const MAX_WAIT_MS = 60_000
const [SHORT_MS, LONG_MS] = [1, 16]

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** @throws Refusal the one that the signal carries, or `call.cancelled`, once it aborted. */
export const checkGoingOn = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted === true) throw stopReason(signal)
}

/** One caller at a time; others of the same thread wait their turn elsewhere. */
export class WriteLock {
  readonly #file: string | undefined
  readonly #schema: string
  readonly #onStep: () => void
  #db: Database | undefined
  #hasSchema = false

  /** @param schema SQL that makes what is missing; run with the lock held, once for each connection. */
  constructor(file: string | undefined, schema: string, onStep: () => void) {
    this.#file = file
    this.#schema = schema
    this.#onStep = onStep
  }

  /**
   * Runs `work` alone, and keeps what it wrote to the database unless it throws.
   * @param signal ends the wait; work that has begun goes on.
   * @throws Error when the lock cannot be had within a minute. @throws Refusal when the signal aborted first.
   */
  async hold<T>(work: (db: Database) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const db = this.#opened()
    try {
      await begin(db, signal)
      if (!this.#hasSchema) db.exec(this.#schema)
      const result = await work(db)
      this.#onStep()
      db.exec('COMMIT')
      this.#hasSchema = true
      this.#onStep()
      return result
    } catch (error) {
      this.#drop(db)
      throw error
    }
  }

  close(): void {
    this.#db?.close()
    this.#db = undefined
  }

  #opened(): Database {
    if (this.#db?.stale() === true) this.#drop(this.#db)
    if (this.#file === undefined) throw new TypeError('writing documents needs a data directory')
    this.#db ??= open(this.#file)
    return this.#db
  }

  /** Ends the connection and what it had not committed. */
  #drop(db: Database): void {
    this.#db = undefined
    this.#hasSchema = false
    try {
      db.exec('ROLLBACK')
    } catch {
      // The failure that led here is the one worth reporting, and the connection's end rolls back in any case.
    }
    db.close()
  }
}

const open = (file: string): Database => {
  const db = openDatabase(file)
  db.exec('PRAGMA busy_timeout = 0')
  // A mark must be on disk before the file that it stands for.
  db.exec('PRAGMA synchronous = FULL')
  return db
}

/** Waits a random while between two attempts, so that two processes do not keep missing the same gaps. */
const begin = async (db: Database, signal: AbortSignal | undefined): Promise<void> => {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    checkGoingOn(signal)
    try {
      db.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(SHORT_MS + Math.random() * (LONG_MS - SHORT_MS))
    }
  }
}
