/** Tasks and timers in one SQLite file, shared by every process over the same data directory. */

import { existsSync } from 'node:fs'
import { openDatabase } from '../../exits/disk/database.ts'
import type { Database } from '../../exits/disk/database.ts'
import { SHORT_BUSY_MS, patiently } from '../../exits/disk/patiently.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

export class TaskStore {
  readonly #file: string
  #db: Database | undefined
  #isClosed = false

  /** Opens nothing before the first use. */
  constructor(file: string) {
    this.#file = file
  }

  /** Whether anybody ever kept a task. Costs one look at the disk. */
  exists(): boolean {
    return this.#db !== undefined || existsSync(this.#file)
  }

  /** Runs `work` in one transaction: all of it happens, or nothing. It may run more than once. */
  use<T>(mode: 'immediate' | 'deferred', work: (db: Database) => T): Promise<T> {
    return patiently(() => {
      const db = this.#opened()
      return db.transaction(mode, () => work(db))
    })
  }

  close(): void {
    this.#isClosed = true
    this.#db?.close()
    this.#db = undefined
  }

  #opened(): Database {
    if (this.#isClosed) throw new Error('the tasks are closed')
    if (this.#db?.stale() === true) {
      this.#db.close()
      this.#db = undefined
    }
    return (this.#db ??= prepared(this.#file))
  }
}

function prepared(file: string): Database {
  const db = openDatabase(file)
  try {
    db.exec(`PRAGMA busy_timeout = ${SHORT_BUSY_MS}`)
    db.transaction('immediate', () => {
      const version = Number(db.get('PRAGMA user_version')?.['user_version'])
      if (version > SCHEMA_VERSION) throw new Error('the tasks were written by a later version of this server')
      if (version === 0) db.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`)
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
