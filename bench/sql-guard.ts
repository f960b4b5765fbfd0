/**
 * What the SQL guard costs: time for each statement, and what `sql_query` adds to the bare driver of each database.
 * `npm run bench:sql`; Postgres and MariaDB join where ARROWHEAD_TEST_POSTGRES and ARROWHEAD_TEST_MARIADB name one.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import mysql from 'mysql2/promise'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'
import { createArrowhead, openTables } from '../src/index.ts'
import type { GivenSettings } from '../src/doors/library/create-arrowhead.ts'
import { createSqlGuard } from '../src/services/sql/guard.ts'
import type { Dialect } from '../src/services/sql/dialect.ts'
import { caseTables, openMariadb, openPostgres, openSqlite } from '../test/adapters/sql-databases.ts'
import type { TestDatabase } from '../test/adapters/sql-databases.ts'
import { inTempDir } from './contestants.ts'

const ROUNDS = 400
const [WARM, TURN] = [20, 5]

const SHORT = 'SELECT id, name FROM users WHERE id = :id'
const MIDDLE = `WITH recent AS (SELECT user_id, sum(total) AS spent, count(*) AS orders FROM orders WHERE created_at > '2024-01-01' GROUP BY user_id)
SELECT u.name, r.spent, r.orders, CASE WHEN r.spent > 100 THEN 'high' WHEN r.spent > 10 THEN 'middle' ELSE 'low' END AS class
FROM users u LEFT JOIN recent r ON r.user_id = u.id WHERE u.email IS NOT NULL AND lower(u.name) LIKE 'a%' ORDER BY r.spent DESC LIMIT 20`
const LARGE = `SELECT ${Array.from({ length: 120 }, (_, index) => `coalesce(a${index}, b${index}, 0) * ${index} AS c${index}`).join(', ')} FROM wide WHERE x IN (${Array.from({ length: 500 }, (_, index) => index).join(', ')})`

type Work = (round: number) => unknown

/** Each in turns of a few rounds, so that a busy moment is everybody's. @returns the times of each, from the shortest on. */
async function timed<Name extends string>(rounds: number, works: Readonly<Record<Name, Work>>): Promise<Readonly<Record<Name, readonly number[]>>> {
  const all = (Object.entries(works) as [Name, Work][]).map(([name, work]): { name: Name; work: Work; times: number[] } => ({ name, work, times: [] }))
  for (const { work } of all) for (let round = 1; round <= WARM; round += 1) await work(-round)
  for (let turn = 0; turn < rounds; turn += TURN) {
    for (const { work, times } of all) {
      for (let round = turn; round < turn + TURN; round += 1) {
        const start = performance.now()
        await work(round)
        times.push(performance.now() - start)
      }
    }
  }
  return Object.fromEntries(all.map(({ name, times }) => [name, times.sort((a, b) => a - b)])) as unknown as Readonly<Record<Name, readonly number[]>>
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
const shown = (times: readonly number[]): string => `p50 ${at(times, 0.5).toFixed(3)} ms, p95 ${at(times, 0.95).toFixed(3)} ms`

/** Each round has a text of its own, so that no judgement is remembered. */
const fresh = (sql: string, round: number): string => `${sql} /* ${round} */`

async function guardTimes(): Promise<void> {
  for (const dialect of ['postgres', 'mysql', 'sqlite'] as const satisfies readonly Dialect[]) {
    const guard = createSqlGuard({ dialect })
    for (const [name, sql] of Object.entries({ short: SHORT, middle: MIDDLE, large: LARGE })) {
      const { cold, warm } = await timed(ROUNDS, { cold: (round) => guard.judge(fresh(sql, round)), warm: () => guard.judge(sql) })
      console.log(`guard, ${dialect}, ${name} (${sql.length} characters): new ${shown(cold)}; seen before ${shown(warm)}`)
    }
    await guard.close()
  }
}

const BODY = '0123456789abcdef'.repeat(6)
const ROWS = `INSERT INTO notes (body) VALUES ${Array.from({ length: 1_000 }, () => `('${BODY}')`).join(', ')}`
const THOUSAND = 'SELECT id, body FROM notes LIMIT 1000'
const BY_ID = (placeholder: string): string => `SELECT id, name FROM users WHERE id = ${placeholder}`

interface Bare {
  short(): unknown
  thousand(): unknown
}

/** What a model's query takes, through every guard, beside what the driver alone takes for it. */
async function overhead(name: string, bare: Bare, settings: GivenSettings, dataDir?: string): Promise<void> {
  const arrowhead = createArrowhead({ ...settings, rateLimitEnabled: false, profile: 'full' }, { replace: { trail: null }, ...(dataDir !== undefined && { dataDir }) })
  const local = arrowhead.asLocal()
  const ask = async (query: string, params: object): Promise<void> => {
    const outcome = await local.outcome({ kind: 'tool', name: 'sql_query', args: { query, params } })
    if (outcome.is !== 'ok') throw new Error(JSON.stringify(outcome))
  }
  for (const [what, driver, sql, params] of [['one row', bare.short, SHORT, { id: 1 }], ['a thousand rows', bare.thousand, THOUSAND, {}]] as const) {
    const times = await timed(ROUNDS, { driver, known: () => ask(sql, params), unseen: (round) => ask(fresh(sql, round), params) })
    const beside = (mine: readonly number[]): string => `${shown(mine)} (${(at(mine, 0.5) / at(times.driver, 0.5)).toFixed(1)} times)`
    console.log(`sql_query, ${name}, ${what}: bare driver ${shown(times.driver)}; query seen before ${beside(times.known)}; new query ${beside(times.unseen)}`)
  }
  await arrowhead.close()
}

async function over(database: TestDatabase, name: string, open: () => Promise<Bare & { close(): unknown }>): Promise<void> {
  await database.exec(ROWS)
  const bare = await open()
  await overhead(name, bare, { sqlDsn: database.dsn })
  await bare.close()
  await database.close()
}

async function overPostgres(): Promise<void> {
  if (process.env['ARROWHEAD_TEST_POSTGRES'] === undefined) return console.log('sql_query, postgres: skipped, ARROWHEAD_TEST_POSTGRES is not set')
  const database = await openPostgres('sql_bench')
  await over(database, 'postgres', async () => {
    const client = new pg.Client({ connectionString: database.dsn.replace('+asyncpg', '') })
    await client.connect()
    return { short: () => client.query(BY_ID('$1'), [1]), thousand: () => client.query(THOUSAND), close: () => client.end() }
  })
}

async function overMariadb(): Promise<void> {
  const uri = process.env['ARROWHEAD_TEST_MARIADB']
  if (uri === undefined) return console.log('sql_query, mariadb: skipped, ARROWHEAD_TEST_MARIADB is not set')
  await over(await openMariadb(), 'mariadb', async () => {
    const client = await mysql.createConnection({ uri })
    return { short: () => client.execute(BY_ID('?'), [1]), thousand: () => client.execute(THOUSAND), close: () => client.end() }
  })
}

async function overSqlite(): Promise<void> {
  const database = await openSqlite()
  await over(database, 'sqlite', async () => {
    const client = new sqlite.Database(database.dsn.replace('sqlite+aiosqlite:///', ''), { readOnly: true })
    return { short: () => client.all(BY_ID('?'), [1]), thousand: () => client.all(THOUSAND), close: () => client.close() }
  })
}

/** The same rows in an engine of its own, asked without a thread between. */
const overEmbedded = (): Promise<void> =>
  inTempDir(async (folder) => {
    const script = [...caseTables('serial PRIMARY KEY', '"'), ROWS]
    const [file, dataDir] = [join(folder, 'tables.sql'), join(folder, 'data')]
    writeFileSync(file, `${script.join(';\n')};\n`)
    const tables = openTables({}, { dataDir })
    await tables.load(file)
    await tables.close()
    const bare = await PGlite.create(join(folder, 'bare'))
    for (const statement of script) await bare.exec(statement)
    await overhead('embedded', { short: () => bare.query(BY_ID('$1'), [1]), thousand: () => bare.query(THOUSAND) }, {}, dataDir)
    await bare.close()
  })

await guardTimes()
for (const run of [overPostgres, overMariadb, overSqlite, overEmbedded]) await run()
