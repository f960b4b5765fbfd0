/**
 * The tables of the trail. Triggers refuse every change but an append; the head row makes a cut tail visible.
 * They stop accidents, not an owner of the file: the chain and heads noted elsewhere show what an owner did.
 */

import type { Database, SqlRow } from '../../exits/disk/database.ts'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { AUDIT_COLUMN_NAMES, AUDIT_COLUMNS } from './hash-chain.ts'

const SCHEMA_VERSION = 1
const COLUMNS = AUDIT_COLUMN_NAMES.join(', ')

/** A row in its place. */
export interface TrailEntry {
  readonly row: AuditRow
  readonly head: TrailHead
  /** Hash of the row before it. */
  readonly prev: string
}

const SCHEMA = `
CREATE TABLE audit(
  seq INTEGER PRIMARY KEY,
  ${AUDIT_COLUMN_NAMES.map((name) => `${name} ${AUDIT_COLUMNS[name]} NOT NULL`).join(', ')},
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
CREATE TRIGGER audit_keeps_all BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'an audit row is never deleted'); END;
CREATE TRIGGER audit_grows BEFORE INSERT ON audit
  WHEN NEW.seq <= (SELECT max(seq) FROM audit)
  BEGIN SELECT RAISE(ABORT, 'audit rows are only appended'); END;
PRAGMA user_version = ${SCHEMA_VERSION};`

export const SELECT_ENTRIES = `SELECT seq, ${COLUMNS}, prev, hash FROM audit`
export const SELECT_HEAD = 'SELECT seq, hash FROM head WHERE one = 1'
export const INSERT_ENTRY = `INSERT INTO audit(seq, ${COLUMNS}, prev, hash)
  VALUES (?, ${AUDIT_COLUMN_NAMES.map(() => '?').join(', ')}, ?, ?)`
export const UPSERT_HEAD = `INSERT INTO head(one, seq, hash) VALUES (1, ?, ?)
  ON CONFLICT(one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`

const versionOf = (db: Database): unknown => db.get('PRAGMA user_version')?.['user_version']

/** Whether the file holds a trail of this version. */
export const holdsTrail = (db: Database): boolean => versionOf(db) === SCHEMA_VERSION

/** Creates the tables in a new file; runs inside a transaction. @throws Error when the file is of another version. */
export function ensureSchema(db: Database): void {
  if (holdsTrail(db)) return
  if (versionOf(db) !== 0) throw new Error('the audit trail was written by another version')
  db.exec(SCHEMA)
}

/** Reads a stored row back. Types are not checked: a row of other types has another hash. */
export const entryOf = (stored: SqlRow): TrailEntry => ({
  row: Object.fromEntries(AUDIT_COLUMN_NAMES.map((name) => [name, stored[name]])) as unknown as AuditRow,
  head: { seq: stored['seq'] as number, hash: stored['hash'] as string },
  prev: stored['prev'] as string,
})

export const headOf = (stored: SqlRow | undefined): TrailHead | undefined =>
  stored === undefined ? undefined : { seq: stored['seq'] as number, hash: stored['hash'] as string }
