/** Where tasks and timers are kept: one SQLite file, shared by every process over the same data directory, or a server. */

import { existsSync } from 'node:fs'
import { openDatabase } from '../../exits/disk/database.ts'
import type { Database } from '../../exits/disk/database.ts'
import { runSteps } from '../../exits/disk/run-steps.ts'
import { SHORT_BUSY_MS, patiently } from '../../exits/disk/patiently.ts'
import type { Steps, Store } from '../../kernel/ports/store.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

export interface TaskStore {
  /** Whether anybody may have kept a task. Costs at most one look at the disk. */
  exists(): boolean
  /** Runs `work` in one transaction: all of it happens, or nothing. It may run more than once. */
  use<T>(mode: 'read' | 'write', work: () => Steps<T>): Promise<T>
  close(): Promise<void>
}

/** Whoever writes tasks on a server writes alone: each step looks at what the one before it left. */
export const serverTasks = (store: Store): TaskStore => ({
  exists: () => true,
  use: (mode, work) => store.use(mode, work, mode === 'write' ? 'tasks' : undefined),
  close: async () => {},
})

export class SqliteTasks implements TaskStore {
  readonly #file: string
  #db: Database | undefined
  #isClosed = false

  /** Opens nothing before the first use. */
  constructor(file: string) {
    this.#file = file
  }

  exists(): boolean {
    return this.#db !== undefined || existsSync(this.#file)
  }

  use<T>(mode: 'read' | 'write', work: () => Steps<T>): Promise<T> {
    return patiently(() => {
      const db = this.#opened()
      return db.transaction(mode === 'write' ? 'immediate' : 'deferred', () => runSteps(db, work()))
    })
  }

  async close(): Promise<void> {
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
