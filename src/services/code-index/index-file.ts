/**
 * The file of the index. It holds addresses (path, name, container, kind, lines), digests of files and numbers for
 * terms with their weights; no text of a body, a comment or a signature. A file that is broken or of another version is replaced in silence.
 */

import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { removeDatabase } from '../../exits/disk/remove-database.ts'
import type { CodeFreshness } from '../../kernel/ports/code-index.ts'
import { CorruptIndex, isCorrupt } from './corrupt-index.ts'

/** Raised with every change of the tables, of the vocabulary, of what counts as a declaration, or of how terms are made and weighed. */
const VERSION = 2

/** Pages kept in memory. A question reads some hundred of them, and a read is a call into the system. */
const CACHE_KIB = 16_384

const SCHEMA = `
CREATE TABLE state(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL,
  updated_at INTEGER,
  complete INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 0, NULL, 0);
CREATE TABLE file(id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, terms BLOB NOT NULL) STRICT;
CREATE TABLE chunk(
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  container TEXT NOT NULL,
  kind TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL
) STRICT;
CREATE INDEX chunk_name ON chunk(folded);
CREATE TABLE posting(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE word(word TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${VERSION};`

const versionOf = (db: Database): unknown => db.get('PRAGMA user_version')?.['user_version']

function prepare(db: Database): void {
  if (versionOf(db) === VERSION) return
  db.transaction('immediate', () => {
    const version = versionOf(db)
    if (version === VERSION) return
    if (version !== 0 || db.get('SELECT 1 FROM sqlite_schema') !== undefined) throw new CorruptIndex('another version')
    db.exec(SCHEMA)
  })
}

function openPrepared(file: string): Database {
  const db = openDatabase(file)
  try {
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
    prepare(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

export interface IndexFile {
  /**
   * Does something with the open database. A broken file is replaced by an empty one and `undefined` is given.
   * @throws Error of the database for everything that a new file would not mend (`SQLITE_BUSY`, `SQLITE_FULL`).
   */
  use<T>(fn: (db: Database) => T): T | undefined
  close(): void
}

/** Opens the file when it is first used, and again when another process has put a new one in its place. */
export function openIndexFile(file: string): IndexFile {
  let current: Database | undefined
  const close = (): void => {
    current?.close()
    current = undefined
  }
  const open = (): Database => {
    if (current?.stale()) close()
    if (current !== undefined) return current
    try {
      current = openPrepared(file)
    } catch (error) {
      if (!isCorrupt(error)) throw error
      removeDatabase(file)
      current = openPrepared(file)
    }
    return current
  }
  return {
    use: (fn) => {
      try {
        return fn(open())
      } catch (error) {
        if (!isCorrupt(error)) throw error
        close()
        removeDatabase(file)
        open()
        return undefined
      }
    },
    close,
  }
}

export const EMPTY: CodeFreshness = { updatedAtMs: null, generation: 0, complete: false }

/** @throws CorruptIndex when the row is missing. */
export function freshnessOf(db: Database): CodeFreshness {
  const row = db.get('SELECT generation, updated_at, complete FROM state WHERE one = 1')
  if (row === undefined) throw new CorruptIndex('the state is missing')
  const updatedAt = row['updated_at']
  return { updatedAtMs: updatedAt === null ? null : Number(updatedAt), generation: Number(row['generation']), complete: row['complete'] === 1 }
}
