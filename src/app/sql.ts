/** Opens the database that callers may query. Nothing of it loads before the first query. */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Sql } from '../kernel/ports/sql.ts'
import type { Inspector } from '../kernel/tool.ts'
import { cleanLine, cleanText } from '../services/content/clean-text.ts'
import { targetOf } from '../services/sql/dsn.ts'
import type { Target } from '../services/sql/dsn.ts'
import type { SqlEngine } from '../services/sql/engine-port.ts'
import type { SqlGuard } from '../services/sql/guard.ts'

export interface OpenSql {
  readonly sql: Sql
  close(): Promise<void>
}

/** Where this server keeps what is its own in a Postgres database: collections, memories, tasks, the trail. */
const OWN_SCHEMAS = ['arrowhead', 'arrowhead_incoming']
/** Bytes of an answer that are not rows. */
const AROUND_ROWS = 8_192

interface Opened {
  readonly sql: Sql
  readonly guard: SqlGuard
  readonly engine: SqlEngine
}

/**
 * @param embedded opens the database that is used without a DSN, where there is one.
 * @throws ConfigError for a DSN that no engine serves, or a dialect that is not the DSN's.
 */
export function openSql(settings: Settings, embedded?: () => Promise<SqlEngine>): OpenSql {
  const target = configured(settings)
  const start = target ? () => engineFor(target) : embedded
  let opened: Promise<Opened> | undefined
  const ready = async (): Promise<Sql> => {
    if (!start) throw refusal('sql.unconfigured', 'the operator sets ARROWHEAD_SQL_DSN')
    opened ??= open(settings, start)
    return (await opened).sql
  }
  return {
    sql: {
      reads: async (query) => (await ready()).reads(query),
      run: async (query, parameters, asking) => (await ready()).run(query, parameters, asking),
      schema: async (may, signal) => (await ready()).schema(may, signal),
    },
    async close() {
      const { guard, engine } = (await opened?.catch(() => undefined)) ?? {}
      await Promise.all([guard?.close(), engine?.close()])
    },
  }
}

function configured({ sqlDsn, sqlDialect }: Settings): Target | undefined {
  if (sqlDsn === undefined) return undefined
  const target = targetOf(sqlDsn)
  if (!target) throw new ConfigError(['ARROWHEAD_SQL_DSN: accepts postgresql, mysql, mariadb and sqlite URLs'])
  if (sqlDialect !== undefined && sqlDialect !== target.dialect) throw new ConfigError(['ARROWHEAD_SQL_DIALECT: is not the dialect of ARROWHEAD_SQL_DSN'])
  return target
}

async function engineFor(target: Target): Promise<SqlEngine> {
  switch (target.dialect) {
    case 'postgres':
      return (await import('../services/sql/postgres-engine.ts')).createPostgresEngine({ url: target.url, notDefault: OWN_SCHEMAS })
    case 'mysql':
      return (await import('../services/sql/mysql-engine.ts')).createMysqlEngine({ url: target.url })
    case 'sqlite':
      return (await import('../services/sql/sqlite-engine.ts')).createSqliteEngine({ file: target.file })
  }
}

async function open(settings: Settings, start: () => Promise<SqlEngine>): Promise<Opened> {
  const { createSqlGuard, createSql } = await import('../services/sql/index.ts')
  const engine = await start()
  const guard = createSqlGuard({ dialect: engine.dialect })
  const { sqlMaxRows: maxRows, sqlMaxBytes, sqlMaxColumns: maxColumns, sqlTimeoutSeconds, outputMaxBytes } = settings
  // An answer carries the rows as text inside JSON, where every quote takes two bytes.
  const maxBytes = Math.min(sqlMaxBytes, Math.max(1_000, Math.floor((outputMaxBytes - AROUND_ROWS) / 2)))
  const hidden = (settings.pgvectorCollections ?? []).map((name) => name.toLowerCase())
  const limits = { maxRows, maxBytes, maxColumns, timeoutMs: sqlTimeoutSeconds * 1000 }
  return { guard, engine, sql: createSql({ guard, engine, limits, maxQueryChars: settings.sqlQueryMaxLength, hidden, hiddenSchemas: engine.dialect === 'postgres' ? OWN_SCHEMAS : [], cleanText, cleanLine }) }
}

/** What the guards ask about queries, beside what an inspector of the user's own answers. */
export const sqlInspector = (sql: Sql, inspector: Inspector): Inspector => ({
  ...inspector,
  reads: (query) => sql.reads(query),
})
