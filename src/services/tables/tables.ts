/** The user's own tables in the embedded database: what is there, scripts that make some, and the end of one. */

import type { Database, Session } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { LoadError } from './load-error.ts'
import { quoted } from './names.ts'
import { statementsOf } from './sql-script.ts'

export interface OwnTable {
  readonly name: string
  readonly is: 'table' | 'view'
  readonly rows: number
  /** On the disk, with its indexes. */
  readonly bytes: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

const TABLES = `select c.relname, c.relkind, pg_total_relation_size(c.oid), a.attname, format_type(a.atttypid, a.atttypmod)
from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') order by c.relname, a.attnum`

const owner = (signal: AbortSignal, timeoutMs = 600_000): Session => ({ role: 'owner', signal, timeoutMs, maxRows: 100_000, maxBytes: 50_000_000 })

export async function listTables(database: Database, signal: AbortSignal): Promise<readonly OwnTable[]> {
  const found = new Map<string, { is: OwnTable['is']; bytes: number; columns: { name: string; type: string }[] }>()
  for (const [name, kind, bytes, column, type] of (await database.query({ sql: TABLES }, owner(signal))).rows) {
    const table = found.get(name ?? '') ?? { is: kind === 'r' || kind === 'p' ? 'table' : 'view', bytes: Number(bytes), columns: [] }
    if (column != null) table.columns.push({ name: column, type: type ?? '' })
    found.set(name ?? '', table)
  }
  const counts = await database.transaction([...found.keys()].map((name) => ({ sql: `select count(*) from public.${quoted(name)}` })), owner(signal))
  return [...found.entries()].map(([name, table], at) => ({ name, ...table, rows: Number(counts[at]?.rows[0]?.[0]) }))
}

/** @throws LoadError for one that is not there, or that another needs. */
export async function dropTables(database: Database, names: readonly string[], signal: AbortSignal): Promise<void> {
  const there = new Map((await database.query({ sql: TABLES }, owner(signal))).rows.map(([name, kind]) => [name ?? '', kind ?? '']))
  const missing = names.filter((name) => !there.has(name))
  if (missing.length > 0) throw new LoadError(`there is no table ${missing.join(', ')}`)
  const words: Readonly<Record<string, string>> = { v: 'view', m: 'materialized view' }
  // Together, so that their order does not matter: a view goes before what it reads.
  const views = names.filter((name) => words[there.get(name) ?? ''] !== undefined)
  const tables = names.filter((name) => !views.includes(name))
  const statements = [
    ...views.map((name) => ({ sql: `drop ${words[there.get(name) ?? '']} if exists public.${quoted(name)}` })),
    ...(tables.length > 0 ? [{ sql: `drop table ${tables.map((name) => `public.${quoted(name)}`).join(', ')}` }] : []),
  ]
  await database.transaction(statements, owner(signal)).catch((error: unknown) => {
    throw error instanceof StatementError ? new LoadError(error.message) : error
  })
}

/** Runs all of a script as the owner, or nothing of it. @returns how many statements ran. @throws LoadError with the line of the one that failed. */
export async function runScript(database: Database, script: string, signal: AbortSignal): Promise<number> {
  const statements = statementsOf(script)
  const before = [{ sql: 'set local search_path to public' }]
  try {
    await database.transaction([...before, ...statements.map(({ sql }) => ({ sql }))], { ...owner(signal, 3_600_000), freshAfter: true, maxRows: 1, maxBytes: 1_000 })
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    throw new LoadError(error.message, statements[(error.statement ?? 0) - before.length]?.line)
  }
  return statements.length
}
