/**
 * Opens embedded SQLite databases: private files, write-ahead log, several processes at once.
 * Everything above sees the small `Database` interface, so the library behind it can change.
 */

import { chmodSync, closeSync, lstatSync, openSync, type Stats, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fullDisk } from './disk-error.ts'
import { ensurePrivateFolder } from './private-folder.ts'

export type SqlValue = string | number | bigint | Uint8Array | null
export type SqlRow = Readonly<Record<string, unknown>>

/** One open database. Statements are prepared once per SQL text, so texts must be constants. */
export interface Database {
  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void
  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number }
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[]
  /** Commits what `fn` did, or rolls all of it back when `fn` throws. Does not nest; `fn` is synchronous. */
  transaction<T>(mode: 'immediate' | 'deferred', fn: () => T): T
  /** Whether the file was deleted or another one took its place since it was opened. */
  stale(): boolean
  /** May be called twice. The file handles go with the last garbage-collected statement. */
  close(): void
}

interface Statement {
  run(values: readonly SqlValue[]): { readonly changes: number }
  get(values: readonly SqlValue[]): Record<string, unknown> | undefined
  all(values: readonly SqlValue[]): readonly SqlRow[]
}

interface Driver {
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}

/** How long a lock of another process is waited for. */
export const BUSY_TIMEOUT_MS = 5_000
const WAL_PAUSE_MS = 20
const MAX_STATEMENTS = 200
const require = createRequire(import.meta.url)

/**
 * Opens a database file. With `write` (the default) a missing file is created with mode 0600, and missing
 * folders above it with 0700; an existing file is set to 0600. With `read` the file must exist and no
 * statement can change it. A lock held by another process is waited for, at most 5 seconds, blocking the thread.
 * Texts must not contain U+0000: the library cuts them there.
 * @throws Error with a system code (`ENOENT`, `EACCES`) or an SQLite code (`SQLITE_BUSY`, `SQLITE_NOTADB`); Refusal
 * `disk.full`, as everything does that is asked of the database then.
 */
export const openDatabase = (file: string, { access = 'write' }: { access?: 'write' | 'read' } = {}): Database => withRoom(() => opened(file, access))

function withRoom<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fullDisk(error)
  }
}

function opened(file: string, access: 'write' | 'read'): Database {
  if (access === 'write') preparePrivateFile(file)
  const found = statSync(file)
  // Loaded on first use: the native library costs every start some 15 ms, and most commands need no database.
  const Libsql = require('libsql') as new (file: string) => Driver
  const driver = new Libsql(file)
  try {
    configure(driver, access)
  } catch (error) {
    driver.close()
    throw error
  }
  return wrap(driver, { file, opened: found })
}

/**
 * An existing file is never opened and closed here: closing any descriptor of a file drops the POSIX locks that
 * SQLite holds on it elsewhere in this process (fcntl(2)).
 */
function preparePrivateFile(file: string): void {
  ensurePrivateFolder(dirname(file))
  try {
    closeSync(openSync(file, 'wx', 0o600))
    return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const found = lstatSync(file)
  if (!found.isFile()) throw new Error('the database path is not a regular file')
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(file, 0o600)
}

function configure(driver: Driver, access: 'write' | 'read'): void {
  driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  driver.exec('PRAGMA foreign_keys = ON')
  driver.exec('PRAGMA synchronous = NORMAL')
  if (access === 'read') driver.exec('PRAGMA query_only = ON')
  else enterWal(driver)
}

/** SQLite does not wait for another process that is about to write a file of the old mode, so this does. */
function enterWal(driver: Driver): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      driver.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
      if (!busy || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, WAL_PAUSE_MS)
    }
  }
}

function wrap(driver: Driver, { file, opened }: { file: string; opened: Stats }): Database {
  const statements = new Map<string, Statement>()
  let open = true
  const prepare = (sql: string): Statement => {
    // A statement outlives the connection in the library, so a closed one is refused here.
    if (!open) throw new Error('the database is closed')
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const made = driver.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    exec: (sql) => withRoom(() => driver.exec(sql)),
    run: (sql, ...values) => withRoom(() => ({ changes: prepare(sql).run(values).changes })),
    get: (sql, ...values) => withRoom(() => withoutMetadata(prepare(sql).get(values))),
    all: (sql, ...values) => withRoom(() => prepare(sql).all(values)),
    transaction: (mode, fn) => withRoom(() => inTransaction(driver, mode, fn)),
    stale: () => {
      const now = statSync(file, { throwIfNoEntry: false })
      return now === undefined || now.ino !== opened.ino || now.dev !== opened.dev
    },
    close: () => {
      if (!open) return
      open = false
      statements.clear()
      driver.close()
    },
  }
}

/** The library adds a timing member to a single row. */
function withoutMetadata(row: Record<string, unknown> | undefined): SqlRow | undefined {
  if (row !== undefined) delete row['_metadata']
  return row
}

function inTransaction<T>(driver: Driver, mode: 'immediate' | 'deferred', fn: () => T): T {
  driver.exec(mode === 'immediate' ? 'BEGIN IMMEDIATE' : 'BEGIN DEFERRED')
  try {
    const result = fn()
    driver.exec('COMMIT')
    return result
  } catch (error) {
    rollback(driver)
    throw error
  }
}

function rollback(driver: Driver): void {
  try {
    // SQLite rolls some failures back by itself (a full disk, an I/O error).
    if (driver.inTransaction) driver.exec('ROLLBACK')
  } catch {
    // The first error is the one worth reporting; the connection's end rolls back in any case.
  }
}
