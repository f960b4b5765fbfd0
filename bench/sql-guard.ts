/**
 * What the SQL guard costs: time for each statement, and what `sql_query` adds to the bare driver.
 * `npm run bench:sql`; Postgres joins where ARROWHEAD_TEST_POSTGRES names one.
 */

import pg from 'pg'
import { createArrowhead } from '../src/index.ts'
import { createSqlGuard } from '../src/services/sql/guard.ts'
import type { Dialect } from '../src/services/sql/dialect.ts'
import { openPostgres } from '../test/adapters/sql-databases.ts'

const ROUNDS = 400

const SHORT = 'SELECT id, name FROM users WHERE id = :id'
const MIDDLE = `WITH recent AS (SELECT user_id, sum(total) AS spent, count(*) AS orders FROM orders WHERE created_at > '2024-01-01' GROUP BY user_id)
SELECT u.name, r.spent, r.orders, CASE WHEN r.spent > 100 THEN 'high' WHEN r.spent > 10 THEN 'middle' ELSE 'low' END AS class
FROM users u LEFT JOIN recent r ON r.user_id = u.id WHERE u.email IS NOT NULL AND lower(u.name) LIKE 'a%' ORDER BY r.spent DESC LIMIT 20`
const LARGE = `SELECT ${Array.from({ length: 120 }, (_, index) => `coalesce(a${index}, b${index}, 0) * ${index} AS c${index}`).join(', ')} FROM wide WHERE x IN (${Array.from({ length: 500 }, (_, index) => index).join(', ')})`

async function timed(rounds: number, work: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  for (let round = 0; round < 20; round += 1) await work(-round - 1)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work(round)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
const shown = (times: readonly number[]): string => `p50 ${at(times, 0.5).toFixed(3)} ms, p95 ${at(times, 0.95).toFixed(3)} ms`

/** Each round has a text of its own, so that no judgement is remembered. */
const fresh = (sql: string, round: number): string => `${sql} /* ${round} */`

async function guardTimes(): Promise<void> {
  for (const dialect of ['postgres', 'mysql', 'sqlite'] as const satisfies readonly Dialect[]) {
    const guard = createSqlGuard({ dialect })
    for (const [name, sql] of Object.entries({ short: SHORT, middle: MIDDLE, large: LARGE })) {
      console.log(`guard, ${dialect}, ${name} (${sql.length} characters): ${shown(await timed(ROUNDS, (round) => guard.judge(fresh(sql, round))))}`)
    }
    console.log(`guard, ${dialect}, seen before: ${shown(await timed(ROUNDS, () => guard.judge(SHORT)))}`)
    await guard.close()
  }
}

async function overhead(): Promise<void> {
  if (process.env['ARROWHEAD_TEST_POSTGRES'] === undefined) return console.log('sql_query: skipped, ARROWHEAD_TEST_POSTGRES is not set')
  const database = await openPostgres('sql_bench')
  await database.exec('INSERT INTO notes (body) SELECT repeat(md5(g::text), 3) FROM generate_series(1, 1000) g')
  const client = new pg.Client({ connectionString: database.dsn.replace('+asyncpg', '') })
  await client.connect()
  const arrowhead = createArrowhead({ sqlDsn: database.dsn, rateLimitEnabled: false, profile: 'full' }, { replace: { trail: null } })
  const local = arrowhead.asLocal()
  const ask = async (query: string, params: object): Promise<void> => {
    const outcome = await local.outcome({ kind: 'tool', name: 'sql_query', args: { query, params } })
    if (outcome.is !== 'ok') throw new Error(JSON.stringify(outcome))
  }
  const bare = { short: () => client.query('SELECT id, name FROM users WHERE id = $1', [1]), 'a thousand rows': () => client.query('SELECT id, body FROM notes') }
  const sql = { short: SHORT, 'a thousand rows': 'SELECT id, body FROM notes LIMIT 1000' }
  for (const name of ['short', 'a thousand rows'] as const) {
    const driver = await timed(ROUNDS, bare[name])
    const known = await timed(ROUNDS, () => ask(sql[name], name === 'short' ? { id: 1 } : {}))
    const unseen = await timed(ROUNDS, (round) => ask(fresh(sql[name], round), name === 'short' ? { id: 1 } : {}))
    const ratio = (times: readonly number[]): string => `${(at(times, 0.5) / at(driver, 0.5)).toFixed(1)} times`
    console.log(`sql_query, ${name}: bare driver ${shown(driver)}; query seen before ${shown(known)} (${ratio(known)}); new query ${shown(unseen)} (${ratio(unseen)})`)
  }
  await client.end()
  await arrowhead.close()
  await database.close()
}

await guardTimes()
await overhead()
