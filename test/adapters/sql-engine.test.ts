import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import mysql from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '../../src/services/sql/engine-port.ts'
import type { SqlEngine } from '../../src/services/sql/engine-port.ts'
import { targetOf } from '../../src/services/sql/dsn.ts'
import { createSqlGuard } from '../../src/services/sql/guard.ts'
import { createMysqlEngine } from '../../src/services/sql/mysql-engine.ts'
import { createPostgresEngine } from '../../src/services/sql/postgres-engine.ts'
import { createSql } from '../../src/services/sql/sql-service.ts'
import { createSqliteEngine } from '../../src/services/sql/sqlite-engine.ts'
import { openMariadb, openPostgres, openSqlite } from './sql-databases.ts'
import { sqlEngineContract } from './sql-engine.contract.ts'

const urlOf = (dsn: string): string => {
  const target = targetOf(dsn)
  return target && 'url' in target ? target.url : ''
}

sqlEngineContract('a SQLite file', {
  open: openSqlite,
  engine: (dsn) => {
    const target = targetOf(dsn)
    return createSqliteEngine({ file: target && 'file' in target ? target.file : '' })
  },
  placeholder: () => '?',
  writes: ['DELETE FROM users', 'CREATE TABLE x (a)', "ATTACH '/tmp/arrowhead-must-not-exist.db' AS z", "VACUUM INTO '/tmp/arrowhead-must-not-exist.db'", 'INSERT INTO notes (body) VALUES (1) RETURNING id', "SELECT load_extension('x')"],
  endless: 'WITH RECURSIVE t(n) AS (SELECT id FROM users UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t',
  huge: "SELECT replace(hex(zeroblob(20000000)), '0', 'x')",
  typed: {
    sql: "SELECT 1, 9007199254740991, 9007199254740993, -9223372036854775807, 1.5, 1e400, NULL, 'é', x'00ff', '2024-01-02', ''",
    cells: [1, 9007199254740991, '9007199254740993', '-9223372036854775807', 1.5, 'Infinity', null, 'é', '\\x00ff', '2024-01-02', ''],
  },
})

it('leaves nothing beside a SQLite file, even when a query is ended in the middle', async () => {
  const database = await openSqlite()
  const target = targetOf(database.dsn)
  const file = target && 'file' in target ? target.file : ''
  const engine = createSqliteEngine({ file })
  const text = 'WITH RECURSIVE t(n) AS (SELECT id FROM users UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'
  const ended = engine.query({ text, values: [], limits: { maxRows: 1, maxBytes: 1_000, maxColumns: 1, timeoutMs: 1_500 } }, new AbortController().signal)
  await expect(ended).rejects.toMatchObject({ code: 'sql.cost' })
  expect(readdirSync(dirname(file))).toEqual([basename(file)])
  await engine.close()
  await database.close()
})

it.each(['SELECT length(hex(zeroblob(400000000)))', 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 2000000) SELECT length(group_concat(hex(zeroblob(100)))) FROM t'])('bounds the memory that SQLite takes for %s', async (text) => {
  const database = await openSqlite()
  const target = targetOf(database.dsn)
  const engine = createSqliteEngine({ file: target && 'file' in target ? target.file : '', heapBytes: 64_000_000 })
  const ask = (sql: string) => engine.query({ text: sql, values: [], limits: { maxRows: 1, maxBytes: 1_000, maxColumns: 1, timeoutMs: 60_000 } }, new AbortController().signal)
  await expect(ask(text)).rejects.toMatchObject({ code: 'sql.cost' })
  expect(rowsOf(await ask('SELECT length(hex(zeroblob(1000000)))'))).toEqual([[2_000_000]])
  await engine.close()
  await database.close()
})

describe.skipIf(process.env['ARROWHEAD_TEST_POSTGRES'] === undefined)('with ARROWHEAD_TEST_POSTGRES set (otherwise skipped; see scripts/test-services.sh)', () => {
  sqlEngineContract('a Postgres server', {
    open: () => openPostgres('sql_engine'),
    engine: (dsn) => createPostgresEngine({ url: urlOf(dsn) }),
    placeholder: (position) => `$${position}`,
    writes: ['DELETE FROM users', 'CREATE TABLE x (a int)', 'SELECT 1; SELECT 2', "SELECT nextval('users_id_seq')", 'SELECT * FROM users FOR UPDATE', 'CREATE TEMP TABLE x AS SELECT 1', 'COMMIT; DELETE FROM users', 'WITH d AS (DELETE FROM users RETURNING 1) SELECT * FROM d'],
    endless: 'SELECT count(*) FROM generate_series(1, 100000000000) a',
    huge: "SELECT repeat('x', 50000000)",
    typed: {
      sql: `SELECT 1::int2, 9007199254740991::int8, 9007199254740993::int8, 1.10::numeric, '123456789012345678901234567890.123'::numeric, 1.5::float8, 'NaN'::float8, true, NULL::int, 'é'::text, '\\x00ff'::bytea,
        '2024-01-02'::date, '2024-01-02 03:04:05.123456'::timestamp, '{"a":[1,null]}'::jsonb, '{"n":12345678901234567890}'::json, ARRAY[1,NULL,3], ARRAY['a,b','c"d',NULL], '{{1,2},{3,4}}'::int[], 'a1b2c3d4-0000-4000-8000-000000000000'::uuid, ''::text`,
      cells: [1, 9007199254740991, '9007199254740993', '1.10', '123456789012345678901234567890.123', 1.5, 'NaN', true, null, 'é', '\\x00ff', '2024-01-02', '2024-01-02 03:04:05.123456', { a: [1, null] }, '{"n":12345678901234567890}', [1, null, 3], ['a,b', 'c"d', null], '{{1,2},{3,4}}', 'a1b2c3d4-0000-4000-8000-000000000000', ''],
    },
    cut: (database) => database.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'arrowhead' AND pid <> pg_backend_pid()"),
  })

  it('looks no bare name up in the schema of this server, whatever the login finds first', async () => {
    const database = await openPostgres('sql_engine_own')
    await database.exec('CREATE SCHEMA IF NOT EXISTS arrowhead', 'CREATE TABLE IF NOT EXISTS arrowhead.users (secret int)')
    const url = urlOf(database.dsn).replace('sql_engine_own', 'arrowhead,sql_engine_own')
    const [careless, careful] = [createPostgresEngine({ url }), createPostgresEngine({ url, notDefault: ['arrowhead'] })]
    expect([await careless.defaultSchema(), await careful.defaultSchema()]).toEqual(['arrowhead', 'sql_engine_own'])
    const limits = { maxRows: 1, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 }
    expect((await careful.query({ text: 'SELECT * FROM users', values: [], limits }, new AbortController().signal)).columns.map(({ name }) => name)).toEqual(['id', 'name', 'email'])
    await Promise.all([careless.close(), careful.close()])
    await database.exec('DROP TABLE arrowhead.users')
    await database.close()
  })

  it('looks names up in one schema alone, and leaves nothing behind in the session', async () => {
    const database = await openPostgres('sql_engine_path')
    const engine = createPostgresEngine({ url: urlOf(database.dsn), maxConnections: 1 })
    const ask = (text: string): ReturnType<SqlEngine['query']> => engine.query({ text, values: [], limits: { maxRows: 10, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 } }, new AbortController().signal)
    expect(await engine.defaultSchema()).toBe('sql_engine_path')
    expect(rowsOf(await ask("SELECT current_setting('search_path'), current_setting('transaction_read_only')"))).toEqual([['sql_engine_path', 'on']])
    // Past the guard, what a session would remember still does not reach the next query.
    await ask("SELECT set_config('search_path', 'evil', false), set_config('statement_timeout', '0', false)")
    expect(rowsOf(await ask("SELECT current_setting('search_path'), current_setting('statement_timeout')"))).toEqual([['sql_engine_path', '20s']])
    await engine.close()
    await database.close()
  })
})

describe.skipIf(process.env['ARROWHEAD_TEST_POSTGRES'] === undefined)('the transaction of a query (skipped without ARROWHEAD_TEST_POSTGRES)', () => {
  it('is over once the query is, also where all rows came at once and where it failed', async () => {
    const database = await openPostgres('sql_engine_over')
    const [engine, onlooker] = [createPostgresEngine({ url: urlOf(database.dsn), maxConnections: 1 }), createPostgresEngine({ url: urlOf(database.dsn), maxConnections: 1 })]
    const ask = (asked: SqlEngine, text: string): Promise<unknown> => asked.query({ text, values: [], limits: { maxRows: 10, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 } }, new AbortController().signal).then(rowsOf, (error: { code: string }) => error.code)
    const [[pid]] = (await ask(engine, 'SELECT pg_backend_pid()')) as [[number]]
    for (const [text, answer] of [['SELECT 1', [[1]]], ['SELECT 1', [[1]]], ['SELECT 1 / (id - 1) FROM users', 'sql.failed'], ['SELECT 1', [[1]]], ['SELECT nowhere', 'sql.failed']] as const) {
      expect(await ask(engine, text)).toEqual(answer)
      await expect.poll(() => ask(onlooker, `SELECT state FROM pg_stat_activity WHERE pid = ${pid}`)).toEqual([['idle']])
    }
    await Promise.all([engine.close(), onlooker.close()])
    await database.close()
  })

  it('breaks no connection a second time because its rows are too wide', async () => {
    const database = await openPostgres('sql_engine_wide')
    const engine = createPostgresEngine({ url: urlOf(database.dsn), maxConnections: 1 })
    const ask = (text: string): ReturnType<SqlEngine['query']> => engine.query({ text, values: [], limits: { maxRows: 1_000, maxBytes: 100_000, maxColumns: 10, timeoutMs: 20_000 } }, new AbortController().signal)
    const pid = async (): Promise<unknown> => rowsOf(await ask('SELECT pg_backend_pid()'))[0]?.[0]
    const before = await pid()
    const first = await ask("SELECT repeat('x', 4000) FROM generate_series(1, 1000)")
    const between = await pid()
    const again = await ask("SELECT repeat('x', 4000) FROM generate_series(1, 1000)")
    expect([first.cut, first.lines.length, again]).toEqual(['bytes', 24, first])
    expect([between === before, await pid()]).toEqual([false, between])
    await engine.close()
    await database.close()
  })
})

describe.skipIf(process.env['ARROWHEAD_TEST_POSTGRES'] === undefined)('a function that Postgres lets stand after a dot (skipped without ARROWHEAD_TEST_POSTGRES)', () => {
  it('is refused, whether it came with the database or was added, and a computed column is not', async () => {
    const database = await openPostgres('sql_engine_fields')
    await database.exec(
      "CREATE FUNCTION fetch_url(text) RETURNS text LANGUAGE sql AS $$ SELECT 'fetched' $$",
      "CREATE FUNCTION shout(users) RETURNS text LANGUAGE sql AS $$ SELECT upper($1.name) $$",
    )
    const engine = createPostgresEngine({ url: urlOf(database.dsn) })
    const guard = createSqlGuard({ dialect: 'postgres', deadlineMs: 20_000 })
    const limits = { maxRows: 10, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 }
    const sql = createSql({ guard, engine, limits, maxQueryChars: 2_000, cleanText: String, cleanLine: String })
    const run = (text: string): Promise<unknown> => sql.run(text, {}, { subject: 'a', signal: new AbortController().signal }).then(({ rows }) => rows, (error: { code: string }) => error.code)
    // Without the guard the database does run it.
    expect(rowsOf(await engine.query({ text: "SELECT ('x'::text).fetch_url", values: [], limits }, new AbortController().signal))).toEqual([['fetched']])
    for (const call of ["SELECT ('x'::text).fetch_url", "SELECT u.fetch_url FROM unnest(ARRAY['x']) u", "SELECT ('/etc/passwd'::text).pg_read_file"]) expect(await run(call)).toBe('sql.function')
    expect(await run('SELECT u.name, u.shout FROM users u WHERE u.id = 1')).toEqual([['ann', 'ANN']])
    await Promise.all([engine.close(), guard.close()])
    await database.close()
  })
})

describe.skipIf(process.env['ARROWHEAD_TEST_MARIADB'] === undefined)('with ARROWHEAD_TEST_MARIADB set (otherwise skipped; see scripts/test-services.sh)', () => {
  sqlEngineContract('a MariaDB server', {
    open: () => openMariadb(),
    engine: (dsn) => createMysqlEngine({ url: urlOf(dsn) }),
    placeholder: () => '?',
    writes: ['DELETE FROM users', 'UPDATE users SET name = 1', 'SELECT 1; SELECT 2', "SELECT 'x' INTO OUTFILE '/tmp/arrowhead-must-not-exist'"],
    endless: 'SELECT SLEEP(60), (SELECT count(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c)',
    huge: "SELECT REPEAT('x', 12000000)",
    typed: {
      sql: "SELECT 1, 9007199254740991, 9007199254740993, CAST(1.10 AS DECIMAL(5,2)), CAST('1234567890123456789012345.123' AS DECIMAL(40,3)), 1.5e0, NULL, 'é', x'00ff', CAST('2024-01-02' AS DATE), CAST('2024-01-02 03:04:05.123' AS DATETIME(3)), ''",
      cells: [1, 9007199254740991, '9007199254740993', '1.10', '1234567890123456789012345.123', 1.5, null, 'é', '\\x00ff', '2024-01-02', '2024-01-02 03:04:05.123', ''],
    },
    cut: async () => {
      const client = await mysql.createConnection({ uri: process.env['ARROWHEAD_TEST_MARIADB'] ?? '' })
      const [rows] = await client.query('SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()')
      for (const { id } of rows as unknown as readonly { readonly id: number }[]) await client.query(`KILL ${Number(id)}`).catch(() => undefined)
      await client.end()
    },
  })
})

describe.skipIf(process.env['ARROWHEAD_TEST_MARIADB'] === undefined)('the session of MariaDB (skipped without ARROWHEAD_TEST_MARIADB)', () => {
  it('is set anew for each query, whatever the one before did to it', async () => {
    const database = await openMariadb()
    const engine = createMysqlEngine({ url: urlOf(database.dsn), maxConnections: 1 })
    const ask = (text: string, maxRows = 5): Promise<unknown> => engine.query({ text, values: [], limits: { maxRows, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 } }, new AbortController().signal).then(rowsOf, (error: { code: string }) => error.code)
    const settings = 'SELECT @@session.tx_read_only, @@session.autocommit, @@session.sql_select_limit, @@session.max_statement_time, @@in_transaction, @@session.sql_mode'
    const pinned = [1, 0, 6, 20, 0, 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION']
    expect(await ask(settings)).toEqual([pinned])
    await ask("SET SESSION tx_read_only = 0, SESSION autocommit = 1, SESSION sql_select_limit = 1, SESSION max_statement_time = 0, SESSION sql_mode = 'ANSI_QUOTES'")
    expect(await ask('DELETE FROM users')).toBe('sql.failed')
    expect(await ask(settings)).toEqual([pinned])
    // Other limits than the connection waited with.
    expect(await ask(settings, 2)).toEqual([pinned.with(2, 3)])
    await ask('SELECT count(*) FROM users')
    expect(await ask(settings)).toEqual([pinned])
    // What tells columns too keeps its connection.
    await database.exec("CREATE OR REPLACE PROCEDURE careless() BEGIN SET SESSION time_zone = '+09:30', SESSION tx_read_only = 0, SESSION autocommit = 1; SELECT CONNECTION_ID(); END")
    const before = await ask('SELECT DATABASE(), @@session.time_zone')
    expect(await ask('CALL careless()')).toEqual(await ask('SELECT CONNECTION_ID()'))
    expect([await ask(settings), await ask('SELECT DATABASE(), @@session.time_zone')]).toEqual([[pinned], before])
    await database.exec('DROP PROCEDURE careless')
    expect(await ask('USE information_schema')).toEqual([])
    // A statement that is prepared already would keep its database.
    expect(await ask('SELECT DATABASE() AS place, @@session.time_zone AS zone')).toEqual(before)
    await engine.close()
    await database.close()
  })
})

const PLACES = [
  ['Postgres', 'ARROWHEAD_TEST_POSTGRES', () => openPostgres('sql_engine_left'), (url: string) => createPostgresEngine({ url, maxConnections: 1 }), 'pg_backend_pid()', 'pg_sleep'],
  ['MariaDB', 'ARROWHEAD_TEST_MARIADB', () => openMariadb(), (url: string) => createMysqlEngine({ url, maxConnections: 1 }), 'connection_id()', 'SLEEP'],
] as const

for (const [name, variable, open, create, id, sleep] of PLACES) {
  it.skipIf(process.env[variable] === undefined)(`of ${name} nothing is run for who left while the connection was busy, and it stays (skipped without ${variable})`, async () => {
    const database = await open()
    const engine = create(urlOf(database.dsn))
    const ask = (text: string, signal = new AbortController().signal): Promise<unknown> => engine.query({ text, values: [], limits: { maxRows: 5, maxBytes: 10_000, maxColumns: 10, timeoutMs: 60_000 } }, signal).then(rowsOf, (error: unknown) => error)
    const before = await ask(`SELECT ${id}`)
    const leaving = new AbortController()
    const [busy, left] = [ask(`SELECT ${sleep}(0.3)`), ask(`SELECT ${sleep}(50)`, leaving.signal)]
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort('left')
    expect([await left, (await busy) instanceof Error]).toEqual(['left', false])
    expect(await ask(`SELECT ${id}`)).toEqual(before)
    await engine.close()
    await database.close()
  })
}

it.skipIf(process.env['ARROWHEAD_TEST_POSTGRES'] === undefined)('fails a COPY, which ends its connection and nothing else (skipped without ARROWHEAD_TEST_POSTGRES)', async () => {
  const database = await openPostgres('sql_engine_copy')
  const engine = createPostgresEngine({ url: urlOf(database.dsn), maxConnections: 1 })
  const ask = (text: string): Promise<unknown> => engine.query({ text, values: [], limits: { maxRows: 5, maxBytes: 10_000, maxColumns: 10, timeoutMs: 20_000 } }, new AbortController().signal).then(rowsOf, (error: { code: string }) => error.code)
  const texts = ['COPY users TO STDOUT', 'COPY (SELECT generate_series(1, 10000000)) TO STDOUT', 'COPY users FROM STDIN']
  for (const text of texts) expect([text, await ask(text), await ask('SELECT 1')]).toEqual([text, 'sql.failed', [[1]]])
  await engine.close()
  await database.close()
})

describe('a database that is not there', () => {
  const limits = { maxRows: 1, maxBytes: 1_000, maxColumns: 1, timeoutMs: 20_000 }
  it.each<readonly [name: string, engine: () => SqlEngine]>([
    ['Postgres', () => createPostgresEngine({ url: 'postgresql://a:secret@127.0.0.1:1/x' })],
    ['MySQL', () => createMysqlEngine({ url: 'mysql://a:secret@127.0.0.1:1/x' })],
    ['SQLite', () => createSqliteEngine({ file: '/nowhere/at/all.sqlite' })],
  ])('of %s is unavailable, without a word of where it was', async (_name, open) => {
    const engine = open()
    const error = await engine.query({ text: 'SELECT 1', values: [], limits }, new AbortController().signal).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'sql.unavailable' })
    expect(JSON.stringify({ ...(error as Error), stack: '' })).not.toMatch(/secret|127\.0|nowhere/)
    await engine.close()
  })
})
