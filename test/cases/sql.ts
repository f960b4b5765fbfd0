/**
 * Runs one case of a query: through the guard, and where it passes on a real database of its dialect. A
 * refusal counts only if the database was never asked.
 */

import { spawnSync } from 'node:child_process'
import { Refusal } from '../../src/kernel/refusal.ts'
import { targetOf } from '../../src/services/sql/dsn.ts'
import type { EngineQuery, SqlEngine } from '../../src/services/sql/engine-port.ts'
import { createSqlGuard } from '../../src/services/sql/guard.ts'
import { createMysqlEngine } from '../../src/services/sql/mysql-engine.ts'
import { createPostgresEngine } from '../../src/services/sql/postgres-engine.ts'
import { createSql } from '../../src/services/sql/sql-service.ts'
import { createSqliteEngine } from '../../src/services/sql/sqlite-engine.ts'
import { openMariadb, openPostgres, openSqlite } from '../adapters/sql-databases.ts'
import type { TestDatabase } from '../adapters/sql-databases.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

type Dialect = SqlEngine['dialect']

interface SqlInput {
  readonly dialect: Dialect
  readonly sql?: string
  readonly gen?: object
}

export interface SqlCase extends Case<SqlInput> {
  readonly budgetMs?: number
}

interface Outcome {
  readonly is: 'allow' | 'refuse' | 'bounded' | 'failed'
  readonly why: string
}

const SERVICES = 'scripts/test-services.sh'
const LIMITS = { maxRows: 1_000, maxBytes: 1_000_000, maxColumns: 100, timeoutMs: 3_000 }
const UNTOUCHED = { cleanText: (text: string) => text, cleanLine: (text: string) => text }

function engineOf(dsn: string): SqlEngine {
  const target = targetOf(dsn)
  if (target?.dialect === 'postgres') return createPostgresEngine(target)
  if (target?.dialect === 'mysql') return createMysqlEngine(target)
  return createSqliteEngine({ file: target?.dialect === 'sqlite' ? target.file : '' })
}

/** What the machine has, unless the environment names databases already. @returns what ends it. */
function startServices(): () => void {
  if (process.env['ARROWHEAD_TEST_POSTGRES'] !== undefined && process.env['ARROWHEAD_TEST_MARIADB'] !== undefined) return () => undefined
  const { stdout } = spawnSync('bash', [SERVICES, 'start', '--no-install'], { encoding: 'utf8' })
  for (const [, name = '', value = ''] of stdout.matchAll(/^export (\w+)=(\S+)$/gm)) process.env[name] ??= value
  return () => void spawnSync('bash', [SERVICES, 'stop'])
}

async function openDatabases(): Promise<Readonly<Partial<Record<Dialect, TestDatabase>>>> {
  const postgres = process.env['ARROWHEAD_TEST_POSTGRES'] === undefined ? undefined : await openPostgres('sql_cases')
  const mysql = process.env['ARROWHEAD_TEST_MARIADB'] === undefined ? undefined : await openMariadb()
  for (const [dialect, database] of [['postgres', postgres], ['mysql', mysql]] as const) {
    if (!database) console.log(`sql: no ${dialect} database here, so its allowed lines are judged but not run`)
  }
  return { sqlite: await openSqlite(), ...(postgres && { postgres }), ...(mysql && { mysql }) }
}

/** A database that keeps count of what it was asked. */
function recording(engine: SqlEngine): { readonly engine: SqlEngine; asked(): number } {
  let asked = 0
  const query = (given: EngineQuery, signal: AbortSignal) => {
    asked += 1
    return engine.query(given, signal)
  }
  return { engine: { ...engine, query }, asked: () => asked }
}

/** Stands where no database is: whatever reaches it has passed. */
const nothing = (dialect: Dialect): SqlEngine => ({
  dialect, defaultSchema: async () => 'main', query: async () => ({ columns: [], lines: [] }), tables: async () => [], close: async () => undefined,
})

async function attempt(sql: ReturnType<typeof createSql>, query: string, asked: () => number): Promise<Outcome> {
  const before = asked()
  try {
    await sql.reads(query)
    await sql.run(query, {}, { subject: 'case', signal: new AbortController().signal })
    return { is: 'allow', why: '' }
  } catch (error) {
    if (!(error instanceof Refusal)) return { is: 'failed', why: String(error) }
    const why = `${error.code} ${error.reason ?? ''}`
    if (asked() === before) return { is: 'refuse', why }
    return { is: error.code === 'sql.cost' ? 'bounded' : 'failed', why }
  }
}

const isRight = ({ expect, alsoOk = [] }: SqlCase, { is }: Outcome): boolean => is === expect || alsoOk.includes(is)

export async function sqlRunner(): Promise<{ run(line: SqlCase): Promise<Verdict>; close(): Promise<void> }> {
  const stopServices = startServices()
  const databases = await openDatabases()
  const open = (dialect: Dialect) => {
    const database = databases[dialect]
    const { engine, asked } = recording(database ? engineOf(database.dsn) : nothing(dialect))
    const guard = createSqlGuard({ dialect })
    return { engine, asked, guard, sql: createSql({ guard, engine, limits: LIMITS, maxQueryChars: 2_000, ...UNTOUCHED }) }
  }
  const opened = { postgres: open('postgres'), mysql: open('mysql'), sqlite: open('sqlite') }
  return {
    async run(line) {
      const { sql, asked } = opened[line.input.dialect]
      const start = performance.now()
      const outcome = await attempt(sql, expand(line.input, line.input.sql), asked)
      const isInTime = performance.now() - start <= (line.budgetMs ?? Number.POSITIVE_INFINITY)
      return { right: isInTime && isRight(line, outcome), got: `${outcome.is} ${outcome.why}${isInTime ? '' : ', too late'}` }
    },
    async close() {
      for (const { engine, guard } of Object.values(opened)) await Promise.all([engine.close(), guard.close()])
      for (const database of Object.values(databases)) await database.close()
      stopServices()
    },
  }
}
