import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/ports/database.ts'
import { createPostgresDatabase } from '../../src/services/database/index.ts'
import { DEFAULT_COLUMNS, vectorMigrations } from '../../src/services/vectors/index.ts'
import { vectorsOver } from './vectors-over.ts'

const SERVER = process.env['ARROWHEAD_TEST_POSTGRES_VECTOR']
const name = `index_${process.pid}_${Date.now().toString(36)}`
const ROWS = 2500

describe.skipIf(SERVER === undefined)('the search index of a tenant on a server (skipped unless ARROWHEAD_TEST_POSTGRES_VECTOR names a PostgreSQL with pgvector)', () => {
  let database: Database
  let dsn: string
  let part: string
  /** Other sessions: one looks, one holds locks as a backup, or a run of another process, does. */
  let looking: pg.Client
  let holding: pg.Client

  beforeAll(async () => {
    await once(`create database ${name}`)
    const own = new URL(SERVER ?? '')
    own.pathname = `/${name}`
    dsn = own.href
    database = createPostgresDatabase({ readDsn: dsn, writeDsn: dsn })
    await database.migrate(vectorMigrations({ collections: ['doc_chunks'], dimensions: 64, columns: DEFAULT_COLUMNS, language: 'english' }))
    looking = await connected(dsn)
    await looking.query(`select arrowhead.open_tenant('doc_chunks', 'x')`)
    await looking.query(`insert into arrowhead.doc_chunks (tenant, id, content, embedding, source, chunk_index, content_hash)
      select 'x', g::text, 'row ' || g, (select array_agg(random()) from generate_series(1, 64) where g > 0)::real[]::vector, g::text, 0, '' from generate_series(1, ${ROWS}) g`)
    part = String((await looking.query(`select arrowhead.part_of('doc_chunks', 'x')::oid as oid`)).rows[0].oid)
  })
  afterAll(async () => {
    await looking.end()
    await database.close()
    await once(`drop database ${name} with (force)`)
  })
  beforeEach(async () => {
    holding = await connected(dsn)
  })
  afterEach(() => holding.end())

  const indexes = async (): Promise<readonly string[]> => (await looking.query(`select i::oid::text as oid from arrowhead.search_indexes_of(${part}) i`)).rows.map(({ oid }) => oid)
  const call = (sql: string) => database.query({ sql: `select arrowhead.${sql}` }, { role: 'writer', timeoutMs: 120_000 })
  /** The answer, or the state with which it was refused. */
  const told = (sql: string): Promise<string> => call(sql).then(({ rows }) => String(rows[0]?.[0]), ({ sqlState }) => String(sqlState))
  const search = (timeoutMs: number) => database.query({ sql: `select id from arrowhead.doc_chunks where tenant = 'x' order by embedding <=> array_fill(0.5::real, array[64])::vector limit 3` }, { role: 'searcher', timeoutMs })
  /** What others than the one that holds wait for: the part, or their turn. */
  const waits = async (): Promise<readonly string[]> =>
    (await looking.query(`select mode from pg_locks where not granted and (relation = ${part} or locktype = 'advisory') and database = (select oid from pg_database where datname = current_database())`)).rows.map(({ mode }) => mode)
  const untilWaiting = (count: number) => expect.poll(waits, { timeout: 20_000, interval: 10 }).toHaveLength(count)
  const READS = `select 1 from arrowhead.doc_chunks where tenant = 'x' limit 1`
  const WRITES = `update arrowhead.doc_chunks set content = content where tenant = 'x' and id = '1'`
  const hold = async (sql: string): Promise<void> => {
    await holding.query('begin')
    await holding.query(sql)
  }
  const settled = async (): Promise<string> => {
    await call(`settle_tenant('doc_chunks', 'x', ${ROWS})`)
    const found = await indexes()
    expect(found).toHaveLength(1)
    return String(found[0])
  }
  const grown = async (): Promise<string> => {
    const index = await settled()
    await looking.query(`do $$ begin execute format('comment on index %s is %L', ${index}::regclass, 1); end $$`)
    return index
  }

  it('is searched while the one that replaces it is made', async () => {
    const old = await grown()
    await hold(WRITES)
    const anew = call(`settle_tenant('doc_chunks', 'x', 0)`)
    await untilWaiting(1)
    expect(await waits()).toEqual(['ShareLock'])
    expect((await search(4000)).rows).toHaveLength(3)
    await holding.query('commit')
    await anew
    expect(await indexes()).toHaveLength(1)
    expect(await indexes()).not.toEqual([old])
  })

  it('stays alone and as it was where it cannot be dropped, and is replaced by the next run', async () => {
    const old = await grown()
    await hold(READS)
    expect(await told(`settle_tenant('doc_chunks', 'x', 0)`)).toBe('55P03')
    expect(await indexes()).toEqual([old])
    await holding.query('commit')
    expect(await settled()).not.toBe(old)
  })

  it('is one where two runs end at once', async () => {
    await call(`loosen_tenant('doc_chunks', 'x', ${ROWS})`)
    expect(await indexes()).toEqual([])
    await hold(WRITES)
    const both = [call(`settle_tenant('doc_chunks', 'x', 0)`), call(`settle_tenant('doc_chunks', 'x', 0)`)]
    await untilWaiting(2)
    await holding.query('commit')
    await Promise.all(both)
    expect(await indexes()).toHaveLength(1)
  })

  it('goes where two runs take it away at once, or is in use for the one that must wait', async () => {
    await settled()
    await hold(READS)
    const both = [told(`loosen_tenant('doc_chunks', 'x', ${ROWS})`), told(`loosen_tenant('doc_chunks', 'x', ${ROWS})`)]
    // Each waits but a moment, which a busy machine may miss.
    await Promise.race([Promise.all(both), untilWaiting(2)])
    await holding.query('commit')
    for (const answer of await Promise.all(both)) expect(['t', '55P03']).toContain(answer)
    expect(await told(`loosen_tenant('doc_chunks', 'x', ${ROWS})`)).toBe('t')
    expect(await indexes()).toEqual([])
  })

  it('is not waited for by searches where a run would take it away and may not yet', async () => {
    const index = await settled()
    await hold(READS)
    const loosen = told(`loosen_tenant('doc_chunks', 'x', ${ROWS})`)
    await Promise.race([loosen, untilWaiting(1)])
    // Less than the time that the run's statements wait for any other lock.
    expect((await search(3000)).rows).toHaveLength(3)
    expect(await loosen).toBe('55P03')
    expect(await indexes()).toEqual([index])
    await holding.query('commit')
  })

  it('is one after two processes that index the same documents at once, and both are answered', async () => {
    for (const version of ['first', 'second']) {
      const run = { collection: 'doc_chunks', tenant: 'y', prefix: '', signal: new AbortController().signal, progress: () => {}, mayRead: () => true }
      const reports = await Promise.all([1, 2].map(() => vectorsOver(database, ROWS, version).index(run)))
      expect(reports.every(({ truncated }) => !truncated)).toBe(true)
      expect((await looking.query(`select count(*)::int as count from arrowhead.search_indexes_of(arrowhead.part_of('doc_chunks', 'y'))`)).rows).toEqual([{ count: 1 }])
    }
  })
})

async function connected(dsn: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: dsn })
  await client.connect()
  return client
}

async function once(sql: string): Promise<void> {
  const client = await connected(SERVER ?? '')
  await client.query(sql)
  await client.end()
}
