/** The user's own tables in the embedded database: what is there, scripts that make some, and the end of one. */

import type { Database, Session } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { LoadError, STOPPED_LATE } from './load-error.ts'
import { quoted } from './names.ts'
import { statementsOf } from './sql-script.ts'

export interface OwnTable {
  readonly name: string
  readonly is: 'table' | 'view' | 'foreign table'
  /** Null for what is no table here: to count a view is to run it, which may fail or take hours. */
  readonly rows: number | null
  /** On the disk, with its indexes. */
  readonly bytes: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** What is listed and dropped: its kind in `pg_class`, what it is called here, and what a statement calls it. */
const KINDS: Readonly<Record<string, { readonly is: OwnTable['is']; readonly word: string }>> = {
  r: { is: 'table', word: 'table' }, p: { is: 'table', word: 'table' }, v: { is: 'view', word: 'view' }, m: { is: 'view', word: 'materialized view' },
  f: { is: 'foreign table', word: 'foreign table' },
}

const TABLES = `select c.relname, c.relkind, pg_total_relation_size(c.oid), a.attname, format_type(a.atttypid, a.atttypmod)
from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') order by c.relname, a.attnum`

/** How many views lie below each view at most. A rule of a view depends on what it reads. */
const DEPTHS = `with recursive reads (reader, source) as (
  select distinct r.ev_class, d.refobjid from pg_depend d join pg_rewrite r on r.oid = d.objid
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
), depths (oid, depth) as (
  select oid, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
  union select reader, depth + 1 from depths join reads on source = oid where depth < 1000
)
select c.relname, max(depth) from depths join pg_class c using (oid) where c.relnamespace = 'public'::regnamespace group by 1`

const owner = (signal: AbortSignal, timeoutMs = 600_000): Session => ({ role: 'owner', signal, timeoutMs, maxRows: 100_000, maxBytes: 50_000_000 })

/** @throws LoadError in the database's words. */
export async function listTables(database: Database, signal: AbortSignal): Promise<readonly OwnTable[]> {
  const found = new Map<string, { is: OwnTable['is']; bytes: number; columns: { name: string; type: string }[] }>()
  for (const [name, kind, bytes, column, type] of (await inItsWords(database.query({ sql: TABLES }, owner(signal)))).rows) {
    const table = found.get(name ?? '') ?? { is: KINDS[kind ?? '']?.is ?? 'table', bytes: Number(bytes), columns: [] }
    if (column != null) table.columns.push({ name: column, type: type ?? '' })
    found.set(name ?? '', table)
  }
  const counted = [...found].filter(([, { is }]) => is === 'table').map(([name]) => name)
  const counts = await inItsWords(database.transaction(counted.map((name) => ({ sql: `select count(*) from public.${quoted(name)}` })), owner(signal)))
  const rows = new Map(counted.map((name, at) => [name, Number(counts[at]?.rows[0]?.[0])]))
  return [...found].map(([name, table]) => ({ name, ...table, rows: rows.get(name) ?? null }))
}

/** In whatever order they are named. @throws LoadError for one that is not there, or that another needs. */
export async function dropTables(database: Database, names: readonly string[], signal: AbortSignal): Promise<void> {
  const there = new Map((await inItsWords(database.query({ sql: TABLES }, owner(signal)))).rows.map(([name, kind]) => [name ?? '', kind ?? '']))
  const missing = names.filter((name) => !there.has(name))
  if (missing.length > 0) throw new LoadError(`there is no table ${missing.join(', ')}`)
  const depths = new Map((await inItsWords(database.query({ sql: DEPTHS }, owner(signal)))).rows.map(([name, depth]) => [name ?? '', Number(depth)]))
  const wordOf = (name: string): string => KINDS[there.get(name) ?? '']?.word ?? 'table'
  // A view goes before what it reads. Tables, which may need each other, go as one statement.
  const depthOf = (name: string): number => depths.get(name) ?? -1
  const sorted = [...new Set(names)].sort((one, other) => depthOf(other) - depthOf(one))
  const views = sorted.filter((name) => depths.has(name)).map((name) => ({ sql: `drop ${wordOf(name)} public.${quoted(name)}` }))
  const others = ['foreign table', 'table'].flatMap((word) => {
    const all = sorted.filter((name) => wordOf(name) === word).map((name) => `public.${quoted(name)}`)
    return all.length > 0 ? [{ sql: `drop ${word} ${all.join(', ')}` }] : []
  })
  await inItsWords(database.transaction([...views, ...others], owner(signal)))
}

async function inItsWords<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof StatementError ? new LoadError(error.message) : error
  })
}

/** Runs all of a script as the owner, or nothing of it. @returns how many statements ran. @throws LoadError with the line of the one that failed, and where it was stopped too late to tell what became of it. */
export async function runScript(database: Database, script: string, signal: AbortSignal): Promise<number> {
  const statements = statementsOf(script)
  signal.throwIfAborted()
  const before = [{ sql: 'set local search_path to public' }]
  try {
    await database.transaction([...before, ...statements.map(({ sql }) => ({ sql }))], { ...owner(signal, 3_600_000), freshAfter: true, maxRows: 1, maxBytes: 1_000 })
  } catch (error) {
    if (!(error instanceof StatementError)) throw signal.aborted ? new LoadError(STOPPED_LATE) : error
    throw new LoadError(error.message, statements[(error.statement ?? 0) - before.length]?.line)
  }
  return statements.length
}
