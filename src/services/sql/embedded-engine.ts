/**
 * The embedded Postgres as an engine: the same dialect as a server. A query has the rights of a reader, who sees the
 * user's own schema and nothing of this server's; what lists tables and functions is this file's own text.
 */

import type { Database, Rows, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { EngineQuery, EngineRows, SqlEngine } from './engine-port.ts'
import { failureOf } from './failures.ts'
import { cellReader, postgresParameter, typeName } from './postgres-values.ts'
import { createRowSink } from './row-sink.ts'
import { shapesOf } from './table-shapes.ts'

/** The user's own schema. */
const SCHEMA = 'public'

const TABLES = `SELECT n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE n.nspname = '${SCHEMA}' AND c.relkind IN ('r', 'v', 'm', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2, a.attnum`

const FIELD_FUNCTIONS = `SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
WHERE p.pronamespace = '${SCHEMA}'::regnamespace AND p.pronargs - p.pronargdefaults <= 1 AND t.typtype <> 'c'`

const OWN = { role: 'owner', maxRows: 100_000, maxBytes: 10_000_000 } as const

export function createEmbeddedEngine(database: () => Database): SqlEngine {
  const own = async (sql: string, signal?: AbortSignal): Promise<Rows['rows']> =>
    (await asked({ sql }, { ...OWN, ...(signal && { signal }) })).rows

  const asked = async (statement: Statement, session: Parameters<Database['query']>[1]): Promise<Rows> => {
    try {
      return await database().query(statement, session)
    } catch (error) {
      throw asRefusal(error)
    }
  }

  return {
    dialect: 'postgres',
    defaultSchema: async () => SCHEMA,
    async query({ text, values, limits }: EngineQuery, signal): Promise<EngineRows> {
      const { maxRows, maxBytes, maxColumns, timeoutMs } = limits
      // One more than is shown, so that a cut is told from an end.
      const caps = { maxRows: maxRows + 1, maxBytes, maxColumns: maxColumns + 1, timeoutMs }
      const { columns, rows, truncated } = await asked({ sql: text, values: values.map(postgresParameter) }, { role: 'reader', signal, ...caps })
      const sink = createRowSink(limits)
      sink.describe(columns.map(({ name, typeOid }) => ({ name, type: typeName(typeOid) })))
      const cells = columns.slice(0, sink.width).map(({ typeOid }) => cellReader(typeOid))
      for (const row of rows) {
        if (!sink.push(cells.map((cell, at) => cell(row[at] ?? null)))) break
      }
      if (truncated && !sink.isFull && rows.length < caps.maxRows && columns.length <= maxColumns) sink.overflow()
      return sink.result()
    },
    tables: async (limit, signal) => shapesOf(await own(TABLES, signal), limit),
    fieldFunctions: async () => new Set((await own(FIELD_FUNCTIONS)).map(([name]) => String(name))),
    // The database belongs to whoever opened it.
    close: async () => {},
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof StatementError) return failureOf(error, () => error.sqlState)
  if (!(error instanceof Refusal)) return error
  if (error.code === 'database.timeout') return refusal('sql.cost', 'narrow the query, for instance with WHERE and LIMIT', 'db_deadline')
  if (error.code === 'data.unconfigured') return refusal('sql.unconfigured', 'the operator sets ARROWHEAD_SQL_DSN, or a data directory')
  return error.code === 'database.unavailable' ? refusal('sql.unavailable', 'try again later', 'db_embedded') : error
}
