/**
 * Copies rows of an open database into a file of their own, on a thread of the library's own. The file is one piece
 * without a write-ahead log, private like every database, and gets its name when its maker has looked at it.
 */

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { BUSY_TIMEOUT_MS } from './database.ts'
import { fullDisk } from './disk-error.ts'

interface Driver {
  exec(sql: string): Promise<void>
  close(): void
}

export interface ExtractOptions {
  /** A database that `openDatabase` has prepared; other connections to it go on. */
  readonly from: string
  /** A new file, unlike that of any other process. */
  readonly to: string
  /** Run in one transaction, where `source` is the database that is copied from. */
  readonly sql: string
}

const require = createRequire(import.meta.url)
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Rejects with the error of the database or the disk; Refusal `disk.full`. Nothing is left behind then. */
export async function extractRows({ from, to, sql }: ExtractOptions): Promise<void> {
  const Libsql = require('libsql/promise') as new (file: string) => Driver
  let driver: Driver | undefined
  try {
    closeSync(openSync(to, 'wx', 0o600))
    driver = new Libsql(to)
    await driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = FULL; ATTACH ${quoted(from)} AS source`)
    await driver.exec(`BEGIN; ${sql}; COMMIT; DETACH source`)
    driver.close()
  } catch (error) {
    driver?.close()
    rmSync(to, { force: true })
    throw fullDisk(error)
  }
}

/** Gives a finished file its name, for good. */
export function nameFile(made: string, name: string): void {
  renameSync(made, name)
  // Where a folder cannot be opened or synced, its names are as durable as the system makes them.
  try {
    const folder = openSync(dirname(name), 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch {}
}
