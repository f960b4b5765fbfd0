/**
 * Writes to an open database's file from a thread of the library's own, so that nobody waits for the disk.
 * It is a second connection: what it writes is subject to the same locks as any other process's writes.
 */

import { createRequire } from 'node:module'
import { BUSY_TIMEOUT_MS } from './database.ts'

export interface BackgroundWriter {
  /**
   * Runs statements that take no values, one call after the other's end. Rejects with the error of the first that
   * failed, `code` being the one of SQLite; a transaction that was left open is rolled back by then.
   */
  exec(sql: string): Promise<void>
  close(): void
}

interface Driver {
  exec(sql: string): Promise<void>
  close(): void
}

const require = createRequire(import.meta.url)

/** Opens a writer of a file that `openDatabase` has prepared; the mode of its journal stays as it is. */
export function openBackgroundWriter(file: string): BackgroundWriter {
  const Libsql = require('libsql/promise') as new (file: string) => Driver
  const driver = new Libsql(file)
  const opened = driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL`)
  // Whoever writes first hears of it.
  opened.catch(() => {})
  return {
    async exec(sql) {
      await opened
      try {
        await driver.exec(sql)
      } catch (error) {
        // Fails where the database has rolled back by itself, and says so; the first error is the one that counts.
        await driver.exec('ROLLBACK').catch(() => {})
        throw error
      }
    },
    close: () => driver.close(),
  }
}
