/**
 * The tables that files are loaded into before anybody sees them. Each says by the database's clock when it was last
 * filled, so what a process that was killed left behind goes after a day, and what a running load holds stays.
 */

import { randomBytes } from 'node:crypto'
import type { Database, Migration, Session, Statement } from '../../kernel/ports/database.ts'
import { quoted } from './names.ts'

/** One that no role but the owner can enter. */
const SCHEMA = 'arrowhead_incoming'
const HELD = `${SCHEMA}.held`

export const INCOMING_MIGRATIONS: readonly Migration[] = [
  { name: 'tables.incoming', sql: `create schema if not exists ${SCHEMA};` },
  { name: 'tables.held', sql: `create table ${HELD} (name text primary key, filled_at timestamptz not null default now());` },
]

/** Those of this process, which stay even where the clock of the machine jumps. */
const own = new Set<string>()

export interface Incoming {
  readonly name: string
  /** With its schema. */
  readonly table: string
  /** What makes it known as held: stands before the statement that makes it. */
  readonly hold: Statement
  /** Goes with every batch. */
  readonly keep: Statement
  /** Goes with the statement that takes it away. */
  readonly release: Statement
  /** In this process it is held no longer. */
  forget(): void
}

export function holdIncoming(): Incoming {
  const name = `load_${randomBytes(10).toString('hex')}`
  own.add(name)
  return {
    name, table: `${SCHEMA}.${name}`,
    hold: { sql: `insert into ${HELD} (name) values ($1)`, values: [name] },
    keep: { sql: `update ${HELD} set filled_at = now() where name = $1`, values: [name] },
    release: { sql: `delete from ${HELD} where name = $1`, values: [name] },
    forget: () => void own.delete(name),
  }
}

/** Takes away what nothing has filled for a day. @returns the names of the tables. */
export async function dropLeftovers(database: Database, session: Session): Promise<readonly string[]> {
  // Of a table that nobody noted the age begins now.
  await database.query({ sql: `insert into ${HELD} (name) select tablename from pg_tables where schemaname = '${SCHEMA}' and tablename <> 'held' on conflict do nothing` }, session)
  const { rows } = await database.query({ sql: `select name from ${HELD} where filled_at < now() - interval '1 day'` }, session)
  const left = rows.flatMap(([name]) => (name == null || own.has(name) ? [] : [name]))
  if (left.length > 0) await database.transaction([...left.map((name) => ({ sql: `drop table if exists ${SCHEMA}.${quoted(name)}` })), { sql: `delete from ${HELD} where name = any($1::text[])`, values: [left] }], session)
  return left
}
