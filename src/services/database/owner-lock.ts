/**
 * One process owns the database files. The lock is a transaction that is held as long as the process owns them, so
 * the system lets go of it when its holder is killed: nothing stale is ever left behind, and no process id is guessed at.
 */

import { type Database, openDatabase } from '../../exits/disk/database.ts'

export interface OwnerLock {
  release(): void
}

/** @returns undefined while another process, or another part of this one, holds it. */
export function takeOwnerLock(file: string): OwnerLock | undefined {
  const db = openDatabase(file)
  if (!begin(db)) {
    db.close()
    return undefined
  }
  return {
    release() {
      // The handle itself may live until it is collected, so the lock is given back by name.
      db.exec('ROLLBACK')
      db.close()
    },
  }
}

function begin(db: Database): boolean {
  try {
    db.exec('PRAGMA busy_timeout = 0')
    db.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
