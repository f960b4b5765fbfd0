/**
 * The tables of the trail. Triggers refuse every change but an append; the head row makes a cut tail visible.
 * They stop accidents, not an owner of the file: the chain and heads noted elsewhere show what an owner did.
 */

import type { Database, SqlRow } from '../../exits/disk/database.ts'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { AUDIT_FIELDS, parseRow } from './canonical-row.ts'
import { BODY_AS_ARRAY, packed, ROWS_IN_BODY, type StoredEntry } from './packed-rows.ts'

const SCHEMA_VERSION = 4
/** Had no archives; had each row apart. */
const [WITHOUT_ARCHIVES, UNPACKED] = [2, 3]

/** A row in its place. */
export interface TrailEntry {
  readonly row: AuditRow
  readonly head: TrailHead
  /** Hash of the row before it. */
  readonly prev: string
}

/** Rows leave the file only for an archive that is on record. */
const ARCHIVES = `
CREATE TABLE archive(
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  prev TEXT NOT NULL,
  begin TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER archive_keeps_rows BEFORE UPDATE ON archive
  BEGIN SELECT RAISE(ABORT, 'an archive is never changed'); END;
CREATE TRIGGER archive_keeps_all BEFORE DELETE ON archive
  BEGIN SELECT RAISE(ABORT, 'an archive is never forgotten'); END;
CREATE TRIGGER audit_keeps_all BEFORE DELETE ON audit
  WHEN OLD.seq > coalesce((SELECT max(last) FROM archive), 0)
  BEGIN SELECT RAISE(ABORT, 'an audit row is never deleted'); END;`

/** For people with a database shell: each row apart, in columns; `stored` is the key of the table, to find them by. Generated columns in the table would cost every append. */
const VIEW = `
DROP VIEW IF EXISTS audit_rows;
CREATE VIEW audit_rows AS
  SELECT audit.seq AS stored, audit.seq - ${ROWS_IN_BODY} + 1 + each.key AS seq,
  ${[...AUDIT_FIELDS, 'errand'].map((name, at) => `json_extract(each.value, '$[${at}]') AS ${name}`).join(', ')}
  FROM audit, json_each(${BODY_AS_ARRAY}) AS each;
PRAGMA user_version = ${SCHEMA_VERSION};`

/** A row of the table is one row of the trail, or several that were written together; `seq` and `hash` are the last one's. */
const SCHEMA = `
CREATE TABLE audit(
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE head(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_keeps_rows BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'an audit row is never changed'); END;
CREATE TRIGGER audit_grows BEFORE INSERT ON audit
  WHEN NEW.seq <= (SELECT max(seq) FROM audit)
  BEGIN SELECT RAISE(ABORT, 'audit rows are only appended'); END;
${ARCHIVES}
${VIEW}`

/** Texts are read as bytes: the library ends the whole process over one that is not UTF-8, as after somebody wrote into the file. */
const bytesOf = (...columns: readonly string[]): string => columns.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ')
/** What is not UTF-8 becomes another text than the one that was hashed. */
export const textOf = (bytes: unknown): string => Buffer.from(bytes as ArrayBuffer).toString()

export const SELECT_PARTS = `SELECT first, last, ${bytesOf('prev', 'begin', 'hash')} FROM archive ORDER BY first`
export const ADD_PART = 'INSERT INTO archive(first, last, prev, begin, hash) VALUES (?, ?, ?, ?, ?)'

/** Makes an archive of rows that `source` holds. */
export const ARCHIVE_ROWS = (first: number, last: number): string => `CREATE TABLE audit(seq INTEGER PRIMARY KEY, body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
INSERT INTO audit SELECT seq, body, prev, hash FROM source.audit WHERE seq BETWEEN ${first} AND ${last} ORDER BY seq`

export const SELECT_ENTRIES = `SELECT seq, ${bytesOf('body', 'prev', 'hash')} FROM audit`
export const SELECT_HEAD = `SELECT seq, ${bytesOf('hash')} FROM head WHERE one = 1`
/** Changes nothing when another process has appended. */
export const MOVE_HEAD = 'UPDATE head SET seq = ?, hash = ? WHERE one = 1 AND seq = ? AND hash = ?'
export const UPSERT_HEAD = `INSERT INTO head(one, seq, hash) VALUES (1, ?, ?)
  ON CONFLICT(one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`

/** What a batch is made of: where it begins, where it ends, and the text and hash of every row between. */
export interface Links {
  readonly start: TrailHead
  readonly end: TrailHead
  readonly bodies: readonly string[]
  readonly hashes: readonly string[]
}

/** One statement that appends rows, each apart. Its text is parsed faster than as many values are bound. */
export function insertText({ start, bodies, hashes }: Links): string {
  const row = (body: string, at: number): string => values(start.seq + 1 + at, body, hashes[at - 1] ?? start.hash, hashes[at] ?? '')
  return `${INSERT}${bodies.map(row).join(',')}`
}

const INSERT = 'INSERT INTO audit(seq, body, prev, hash) VALUES '
const values = (seq: number, body: string, prev: string, hash: string): string => `(${seq},${textLiteral(body)},'${prev}','${hash}')`

/** A string literal has one special character (SQLite, expressions §3). Hashes need none of this. */
const textLiteral = (text: string): string => `'${escaped(text)}'`
const escaped = (text: string): string => (text.includes("'") ? text.replaceAll("'", "''") : text)

/** The code of the error that `appendText` ends with, and leaves no trace, where the head has moved. */
export const MOVED = 'SQLITE_CONSTRAINT_CHECK'

/** A whole transaction: appends the rows, packed into one, if they follow the head that is found under its lock, or nothing. */
export function appendText(links: Links): string {
  const { start, end } = links
  const move = `UPDATE head SET seq = ${end.seq}, hash = '${end.hash}' WHERE one = 1 AND seq = ${start.seq} AND hash = '${start.hash}'`
  const check = "INSERT OR ROLLBACK INTO head(one, seq, hash) SELECT 0, 0, '' WHERE changes() = 0"
  const pieces = packed(links.bodies, links.hashes).map(escaped)
  pieces.unshift(`BEGIN IMMEDIATE; ${move}; ${check}; ${INSERT}(${end.seq},'`)
  pieces.push(`','${start.hash}','${end.hash}'); COMMIT`)
  // Joined at once: a text put together from long ones is copied once more for the library.
  return pieces.join('')
}

/** Whether the file holds a trail, or none yet. @throws Error when it is of another version. */
export function holdsTrail(db: Database): boolean {
  const version = versionOf(db)
  if (version >= WITHOUT_ARCHIVES && version <= SCHEMA_VERSION) return true
  // Tables and their version are written together: rows under no version had it taken from them.
  if (version === 0 && db.get("SELECT 1 AS found FROM sqlite_master WHERE name = 'audit'") === undefined) return false
  throw new Error('the audit file is of another version: set ARROWHEAD_AUDIT_FILE to a new one')
}

/** The version of the tables; 0 where there are none. */
export const versionOf = (db: Database): number => Number(db.get('PRAGMA user_version')?.['user_version'])

/** Creates the tables in a new file, and what an older one lacks; runs inside a transaction. @throws Error when the file is of another version. */
export function ensureSchema(db: Database): void {
  if (!holdsTrail(db)) return db.exec(SCHEMA)
  const version = versionOf(db)
  if (version <= WITHOUT_ARCHIVES) db.exec(`DROP TRIGGER IF EXISTS audit_keeps_all; ${ARCHIVES}`)
  if (version <= UNPACKED) db.exec(VIEW)
}

/** Stands for a row that somebody wrote over with what is no row. */
const UNREADABLE: AuditRow = {
  id: '',
  at: 0,
  door: 'library',
  kind: 'server',
  component: 'audit',
  caller: '',
  args: '',
  outcome: 'fault',
  code: '',
  reason: 'unreadable',
  ms: 0,
  trace: '',
}

export const storedOf = (stored: SqlRow): StoredEntry => ({
  head: { seq: stored['seq'] as number, hash: textOf(stored['hash']) },
  prev: textOf(stored['prev']),
  body: textOf(stored['body']),
})

/** Reads a row back; one that is no row any more is a fault of the audit, `unreadable`. */
export const entryOf = ({ head, prev, body }: StoredEntry): TrailEntry => ({ row: parseRow(body) ?? UNREADABLE, head, prev })

export const headOf = (stored: SqlRow | undefined): TrailHead | undefined =>
  stored === undefined ? undefined : { seq: stored['seq'] as number, hash: textOf(stored['hash']) }
