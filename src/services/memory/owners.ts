/**
 * One database file for each owner, in a folder named by the SHA-256 of the owner: what a caller is called never
 * shapes a path, and a statement made for one owner cannot reach what another keeps.
 */

import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { openDatabase } from '../../exits/disk/database.ts'
import type { Database } from '../../exits/disk/database.ts'
import { openJail } from '../../exits/disk/jail.ts'
import type { Jail } from '../../exits/disk/jail.ts'
import { SHORT_BUSY_MS, patiently } from '../../exits/disk/patiently.ts'
import { ensurePrivateFolder } from '../../exits/disk/private-folder.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

const FILE = 'memory.sqlite'
/** Databases held open at once. */
const MAX_OPEN = 64

/** Opens nothing before the first use. */
export class Owners {
  readonly #root: string
  readonly #open = new Map<string, Database>()
  #jail: Promise<Jail> | undefined
  #isClosed = false

  /** @param root made where it is missing; a relative one is taken from the working directory now. */
  constructor(root: string) {
    this.#root = resolve(root)
  }

  /**
   * Runs `work` on what the owner keeps, in one transaction: all of it happens, or nothing. It may run more than
   * once, and must change nothing else.
   */
  use<T>(owner: string, mode: 'immediate' | 'deferred', work: (db: Database) => T): Promise<T> {
    return patiently(async () => {
      let db = this.#kept(owner)
      // Between the opening and the use another owner's opening may have closed it again.
      while (db === undefined) {
        await this.#openFor(owner)
        db = this.#kept(owner)
      }
      const own = db
      return own.transaction(mode, () => work(own))
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const db of this.#open.values()) settleAndClose(db)
    this.#open.clear()
    const jail = await this.#jail?.catch(() => undefined)
    jail?.close()
  }

  /** The owner's database where it is open; the ones used last are kept longest. */
  #kept(owner: string): Database | undefined {
    if (this.#isClosed) throw new Error('the memory is closed')
    const db = this.#open.get(owner)
    if (db === undefined) return undefined
    this.#open.delete(owner)
    if (db.stale()) {
      db.close()
      return undefined
    }
    this.#open.set(owner, db)
    return db
  }

  async #openFor(owner: string): Promise<void> {
    const jail = await (this.#jail ??= this.#openRoot())
    const folder = createHash('sha256').update(owner).digest('hex')
    // A link that leads out of the root is refused here.
    await jail.makeDirectory(folder)
    if (this.#isClosed || this.#open.has(owner)) return
    const db = prepared(join(this.#root, folder, FILE))
    this.#open.set(owner, db)
    for (const [oldest, other] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break
      this.#open.delete(oldest)
      settleAndClose(other)
    }
  }

  async #openRoot(): Promise<Jail> {
    try {
      ensurePrivateFolder(this.#root)
      return await openJail(this.#root)
    } catch (error) {
      this.#jail = undefined
      throw error
    }
  }
}

function prepared(file: string): Database {
  const db = openDatabase(file)
  try {
    db.exec(`PRAGMA busy_timeout = ${SHORT_BUSY_MS}`)
    // What was deleted or has expired is overwritten, not only forgotten.
    db.exec('PRAGMA secure_delete = ON')
    db.transaction('immediate', () => {
      const version = Number(db.get('PRAGMA user_version')?.['user_version'])
      if (version > SCHEMA_VERSION) throw new Error('the memory was written by a later version of this server')
      if (version === 0) db.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`)
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Empties the write-ahead log, which may still hold what was deleted; where another process is reading, it will. */
function settleAndClose(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A lock or a full disk: everything is kept all the same.
  }
  db.close()
}
