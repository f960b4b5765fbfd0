/**
 * Brings the rows of a file into a table that `sql_query` reads. The file is read twice: first to learn its columns and
 * their types and to find what is wrong with it, then to fill a table that nobody sees. That one takes its place in the
 * last transaction, so there is all of the file or nothing.
 */

import { randomBytes } from 'node:crypto'
import type { Database, Rows, Session, SqlInput, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { ColumnTypes } from './column-types.ts'
import { LoadError } from './load-error.ts'
import { columnNames, quoted } from './names.ts'
import type { FileRow, RowReader } from './row-reader.ts'

export interface LoadOptions {
  readonly table: string
  /** What happens where the table is there already. */
  readonly mode: 'create' | 'replace' | 'append'
  /** Types for columns whose values say too little, by the columns' names. */
  readonly types: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** How many rows there are so far, of how many where that is known. */
  progress(rows: number, total?: number): void
}

export interface LoadedTable {
  readonly table: string
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** The file from its beginning, each time it is asked for. */
export interface TextFile {
  reader(): RowReader
  /** @throws LoadError for what is no text. */
  text(): AsyncIterable<string>
}

interface Column {
  readonly name: string
  readonly type: string
}

/** The user's own schema, and one that no role but the owner can enter. */
const [SCHEMA, INCOMING] = ['public', 'arrowhead_incoming']
const [BATCH_ROWS, BATCH_CHARS] = [1_000, 1_000_000]
/** What a process that was killed left behind goes after a day. */
const LEFT_MS = 86_400_000
const LONG_MS = 3_600_000

export async function loadTable(database: Database, file: TextFile, options: LoadOptions): Promise<LoadedTable> {
  const { table, mode, signal } = options
  const session: Session = { role: 'owner', signal, timeoutMs: LONG_MS }
  await database.migrate([{ name: 'tables.incoming', sql: `create schema if not exists ${INCOMING};` }])
  const there = await existing(database, table, session)
  if (there && mode === 'create') throw new LoadError(`the table ${table} exists; --replace puts the file in its place, --append adds to it`)
  const { columns, rows } = await surveyed(file, options, mode === 'append' ? there : undefined)
  const incoming = `${INCOMING}.${quoted(`load_${Date.now()}_${randomBytes(4).toString('hex')}`)}`
  try {
    await database.transaction([...(await leftovers(database, session)), { sql: `create table ${incoming} (${columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')})` }], session)
    await fill(file, { ...options, columns, total: rows, write: (batch) => insert(database, { incoming, columns, batch }, session) })
    await database.transaction(there && mode === 'append' ? appending(incoming, table, columns) : placing(incoming, table, mode === 'replace'), session)
  } catch (error) {
    await database.query({ sql: `drop table if exists ${incoming}` }, { role: 'owner' }).catch(() => undefined)
    throw error instanceof StatementError ? new LoadError(error.message) : error
  }
  return { table, rows, columns }
}

/** The columns of a table that is there. @throws LoadError where the name is that of something else. */
async function existing(database: Database, table: string, session: Session): Promise<readonly Column[] | undefined> {
  const { rows } = await database.query({
    sql: `select c.relkind, a.attname, format_type(a.atttypid, a.atttypmod) from pg_class c join pg_namespace n on n.oid = c.relnamespace
left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where n.nspname = $1 and c.relname = $2 order by a.attnum`,
    values: [SCHEMA, table],
  }, session)
  if (rows.length === 0) return undefined
  if (!['r', 'p'].includes(rows[0]?.[0] ?? '')) throw new LoadError(`${table} is there already and is no table`)
  return rows.map(([, name, type]) => ({ name: name ?? '', type: type ?? '' }))
}

/** The first reading. @param target the columns of the table that rows are added to. */
async function surveyed(file: TextFile, { types, signal, progress }: LoadOptions, target: readonly Column[] | undefined): Promise<{ columns: readonly Column[]; rows: number }> {
  const common = new ColumnTypes()
  let count = 0
  const reader = await readAll(file, signal, async (rows) => {
    for (const row of rows) common.note(row.cells, row.types)
    count += rows.length
    progress(count)
  })
  const names = columnNames(reader.columns)
  for (const name of types.keys()) if (!names.includes(name)) throw new LoadError(`there is no column ${name}; the file has ${names.join(', ')}`)
  const typeIn = (name: string, at: number): string => {
    if (!target) return types.get(name) ?? common.of(at)
    const type = target.find((column) => column.name === name)?.type
    if (type === undefined) throw new LoadError(`the table has no column ${name}`, 1)
    return type
  }
  return { columns: names.map((name, at) => ({ name, type: typeIn(name, at) })), rows: count }
}

async function readAll(file: TextFile, signal: AbortSignal, each: (rows: readonly FileRow[]) => Promise<void>): Promise<RowReader> {
  const reader = file.reader()
  for await (const text of file.text()) {
    signal.throwIfAborted()
    await each(reader.push(text))
  }
  await each(reader.end())
  return reader
}

interface Filling extends Pick<LoadOptions, 'signal' | 'progress'> {
  readonly columns: readonly Column[]
  readonly total: number
  write(batch: readonly FileRow[]): Promise<void>
}

async function fill(file: TextFile, { signal, progress, total, write }: Filling): Promise<void> {
  let [batch, chars, done]: [FileRow[], number, number] = [[], 0, 0]
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await write(batch)
    done += batch.length
    progress(done, total)
    ;[batch, chars] = [[], 0]
  }
  await readAll(file, signal, async (rows) => {
    for (const row of rows) {
      batch.push(row)
      for (const cell of row.cells) chars += cell?.length ?? 0
      if (batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush()
    }
  })
  await flush()
}

interface Insertion {
  readonly incoming: string
  readonly columns: readonly Column[]
  readonly batch: readonly FileRow[]
}

/** A batch that the database does not take is halved until the one row is found that it does not take. */
async function insert(database: Database, { incoming, columns, batch }: Insertion, session: Session): Promise<void> {
  try {
    await database.query(insertion(incoming, columns, batch), session)
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    const [first] = batch
    if (batch.length === 1) throw new LoadError(error.message, first?.line)
    const half = batch.length >> 1
    await insert(database, { incoming, columns, batch: batch.slice(0, half) }, session)
    await insert(database, { incoming, columns, batch: batch.slice(half) }, session)
  }
}

function insertion(incoming: string, columns: readonly Column[], batch: readonly FileRow[]): Statement {
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  // Read without its bounds, a value that is too long is refused by the column and not cut by the cast.
  const cells = columns.map(({ type }, at) => `n.c${at}::${type.replace(/\([\d, ]+\)/, '')}`).join(', ')
  const lists = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const values: SqlInput[] = columns.map((_, at) => batch.map(({ cells: given }) => given[at] ?? null))
  return { sql: `insert into ${incoming} (${names}) select ${cells} from unnest(${lists}) as n (${columns.map((_, at) => `c${at}`).join(', ')})`, values }
}

const placing = (incoming: string, table: string, replace: boolean): readonly Statement[] => [
  ...(replace ? [{ sql: `drop table if exists ${SCHEMA}.${quoted(table)}` }] : []),
  { sql: `alter table ${incoming} set schema ${SCHEMA}` },
  { sql: `alter table ${SCHEMA}.${incoming.slice(INCOMING.length + 1)} rename to ${quoted(table)}` },
  { sql: `grant select on ${SCHEMA}.${quoted(table)} to arrowhead_reader` },
  { sql: `analyze ${SCHEMA}.${quoted(table)}` },
]

function appending(incoming: string, table: string, columns: readonly Column[]): readonly Statement[] {
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  const into = `${SCHEMA}.${quoted(table)}`
  return [{ sql: `insert into ${into} (${names}) select ${names} from ${incoming}` }, { sql: `drop table ${incoming}` }, { sql: `analyze ${into}` }]
}

async function leftovers(database: Database, session: Session): Promise<readonly Statement[]> {
  const { rows }: Rows = await database.query({ sql: 'select tablename from pg_tables where schemaname = $1', values: [INCOMING] }, session)
  const old = rows.flatMap(([name]) => (Date.now() - Number(/^load_(\d+)_/.exec(name ?? '')?.[1] ?? Number.NaN) > LEFT_MS ? [name ?? ''] : []))
  return old.map((name) => ({ sql: `drop table if exists ${INCOMING}.${quoted(name)}` }))
}
