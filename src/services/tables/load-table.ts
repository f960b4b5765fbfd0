/**
 * Brings the rows of a file into a table that `sql_query` reads. The file is read twice: first to learn its columns and
 * their types and to find what is wrong with it, then to fill a table that nobody sees. That one takes its place in the
 * last transaction, so there is all of the file or nothing. A file that changed between the readings is refused.
 */

import type { Database, Session, SqlInput, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { appending, LINE, refusedRow } from './append-rows.ts'
import { ColumnTypes } from './column-types.ts'
import { dropLeftovers, holdIncoming, INCOMING_MIGRATIONS } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { CHANGED, LoadError, STOPPED_LATE } from './load-error.ts'
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

/** The user's own schema. */
const SCHEMA = 'public'
const [BATCH_ROWS, BATCH_CHARS] = [1_000, 1_000_000]
const LONG_MS = 3_600_000

/**
 * @throws LoadError for what is wrong with the file, in the database's words where it is the one that refuses, and where
 * the load was stopped too late to tell what became of it; before that, what the signal carries. Refusal as the database.
 */
export async function loadTable(database: Database, file: TextFile, options: LoadOptions): Promise<LoadedTable> {
  try {
    return await loaded(database, file, options)
  } catch (error) {
    throw error instanceof StatementError ? new LoadError(error.message) : error
  }
}

async function loaded(database: Database, file: TextFile, options: LoadOptions): Promise<LoadedTable> {
  const { table, mode, signal, types } = options
  const session: Session = { role: 'owner', signal, timeoutMs: LONG_MS }
  await database.migrate(INCOMING_MIGRATIONS)
  await checkTypes(database, types, session)
  const there = await existing(database, table, session)
  if (there && mode === 'create') throw new LoadError(`the table ${table} exists; --replace puts the file in its place, --append adds to it`)
  if (there && mode === 'append' && types.size > 0) throw new LoadError(`the table ${table} has its types already, so --type says nothing with --append`)
  const survey = await surveyed(file, options, mode === 'append' ? there : undefined)
  const { columns, rows } = survey
  const added = there && mode === 'append' ? { into: `${SCHEMA}.${quoted(table)}`, columns } : undefined
  await dropLeftovers(database, session)
  const incoming = holdIncoming()
  try {
    await database.transaction([incoming.hold, { sql: `create table ${incoming.table} (${[...columns, ...(added ? [LINE] : [])].map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')})` }], session)
    const target = await castable(database, incoming, session)
    await fill(file, { ...options, survey, write: (batch) => insert(database, { incoming, columns: target, batch }, session) })
    const last = added ? appending({ ...added, from: incoming.table }) : placing(incoming, table, mode === 'replace')
    await place(database, [...last, incoming.release], session).catch(async (error: unknown) => {
      throw added && error instanceof StatementError && error.statement === 0 ? await refusedRow(database, { ...added, from: incoming.table }, { error, rows, session }) : error
    })
  } catch (error) {
    await database.transaction([{ sql: `drop table if exists ${incoming.table}` }, incoming.release], { role: 'owner' }).catch(() => undefined)
    throw error
  } finally {
    incoming.forget()
  }
  return { table, rows, columns }
}

/** Before anything is read. @throws LoadError for a type that the database does not have. */
async function checkTypes(database: Database, types: ReadonlyMap<string, string>, session: Session): Promise<void> {
  for (const [name, type] of types) {
    await database.query({ sql: `select null::${type}` }, session).catch((error: unknown) => {
      throw error instanceof StatementError ? new LoadError(`the type given for ${name}: ${error.message}`) : error
    })
  }
}

/** The last transaction: whoever leaves while it runs cannot know whether it was in time. */
async function place(database: Database, statements: readonly Statement[], session: Session): Promise<void> {
  session.signal?.throwIfAborted()
  await database.transaction(statements, session).catch((error: unknown) => {
    throw session.signal?.aborted && !(error instanceof StatementError) ? new LoadError(STOPPED_LATE) : error
  })
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

/**
 * The columns with the types that their texts are cast to: without bounds, and of a domain what it is made of. So a
 * value that is too long is refused by the column and not cut by the cast.
 * @throws LoadError for a type whose every cast cuts.
 */
async function castable(database: Database, { table }: Incoming, session: Session): Promise<readonly Column[]> {
  const { rows } = await database.query({
    sql: `with recursive types (attnum, attname, oid, base) as (
  select a.attnum, a.attname, t.oid, t.typbasetype from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = $1::text::regclass and a.attnum > 0
  union all select b.attnum, b.attname, t.oid, t.typbasetype from types b join pg_type t on t.oid = b.base)
select attname, format_type(oid, -1) from types where base = 0 order by attnum`,
    values: [table],
  }, session)
  return rows.map(([name, type]) => {
    if (/^(?:"char"|name)(?:\[\])*$/.test(type ?? '')) throw new LoadError(`the column ${name ?? ''} has the type ${type ?? ''}, which cuts what is too long`)
    return { name: name ?? '', type: type ?? '' }
  })
}

interface Survey {
  readonly columns: readonly Column[]
  /** The columns in the file's own words. */
  readonly header: readonly string[]
  readonly rows: number
}

/** The first reading. @param target the columns of the table that rows are added to. */
async function surveyed(file: TextFile, { types, signal, progress }: LoadOptions, target: readonly Column[] | undefined): Promise<Survey> {
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
  return { columns: names.map((name, at) => ({ name, type: typeIn(name, at) })), header: reader.columns, rows: count }
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
  readonly survey: Survey
  write(batch: readonly FileRow[]): Promise<void>
}

/** The second reading. */
async function fill(file: TextFile, { signal, progress, survey, write }: Filling): Promise<void> {
  const { rows: total, header } = survey
  let [batch, chars, done]: [FileRow[], number, number] = [[], 0, 0]
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await write(batch)
    done += batch.length
    progress(done, total)
    ;[batch, chars] = [[], 0]
  }
  const { columns } = await readAll(file, signal, async (rows) => {
    for (const row of rows) {
      batch.push(row)
      for (const cell of row.cells) chars += cell?.length ?? 0
      if (batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush()
    }
  })
  await flush()
  if (done !== total || columns.length !== header.length || columns.some((name, at) => name !== header[at])) throw new LoadError(CHANGED)
}

interface Insertion {
  readonly incoming: Incoming
  readonly columns: readonly Column[]
  readonly batch: readonly FileRow[]
}

/** A batch that the database does not take is halved until the one row is found that it does not take. */
async function insert(database: Database, { incoming, columns, batch }: Insertion, session: Session): Promise<void> {
  try {
    await database.transaction([insertion(incoming.table, columns, batch), incoming.keep], session)
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
  const cells = columns.map(({ type }, at) => `n.c${at}::${type}`).join(', ')
  const lists = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const values: SqlInput[] = columns.map(({ name }, at) => batch.map(({ cells: given, line }) => (name === LINE.name ? line : (given[at] ?? null))))
  return { sql: `insert into ${incoming} (${names}) select ${cells} from unnest(${lists}) as n (${columns.map((_, at) => `c${at}`).join(', ')})`, values }
}

const placing = ({ table: incoming, name }: Incoming, table: string, replace: boolean): readonly Statement[] => [
  ...(replace ? [{ sql: `drop table if exists ${SCHEMA}.${quoted(table)}` }] : []),
  { sql: `alter table ${incoming} set schema ${SCHEMA}` },
  { sql: `alter table ${SCHEMA}.${name} rename to ${quoted(table)}` },
  { sql: `grant select on ${SCHEMA}.${quoted(table)} to arrowhead_reader` },
  { sql: `analyze ${SCHEMA}.${quoted(table)}` },
]
