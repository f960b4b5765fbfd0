/**
 * One writer at a time, whichever process it lives in: a transaction of the ledger's database is the lock, so
 * the system lets go of it when its holder is killed. It is waited for without blocking the thread, and held
 * across the write of a file.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../exits/disk/database.ts'

/** A holder keeps the lock for a file's write and sync, so a minute means that something is broken. */
const MAX_WAIT_MS = 60_000
const [SHORT_MS, LONG_MS] = [1, 16]

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

export class WriteLock {
  readonly #file: string
  #db: Database | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  /**
   * Runs `work` alone, and keeps what it wrote to the database unless it throws. Those who ask through one lock
   * are served in order; do not ask from within.
   * @throws Error when the lock cannot be had within a minute.
   */
  hold<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#holdNow(work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    await this.#last
    this.#db?.close()
    this.#db = undefined
  }

  async #holdNow<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const db = this.#opened()
    await begin(db)
    try {
      const result = await work(db)
      db.exec('COMMIT')
      return result
    } catch (error) {
      this.#drop(db)
      throw error
    }
  }

  #opened(): Database {
    if (this.#db?.stale() === true) this.#drop(this.#db)
    this.#db ??= open(this.#file)
    return this.#db
  }

  /** Ends the connection and what it had not committed. */
  #drop(db: Database): void {
    this.#db = undefined
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
const begin = async (db: Database): Promise<void> => {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      db.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(SHORT_MS + Math.random() * (LONG_MS - SHORT_MS))
    }
  }
}
