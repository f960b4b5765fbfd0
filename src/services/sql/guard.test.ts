import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { createSqlGuard } from './guard.ts'

// Long enough that a busy machine never decides a verdict.
const guards = {
  postgres: createSqlGuard({ dialect: 'postgres', deadlineMs: 20_000 }),
  mysql: createSqlGuard({ dialect: 'mysql', deadlineMs: 20_000 }),
  sqlite: createSqlGuard({ dialect: 'sqlite', deadlineMs: 20_000 }),
}
afterAll(() => Promise.all(Object.values(guards).map((guard) => guard.close())))

const verdict = (dialect: Dialect, sql: string, guard = guards[dialect]): Promise<unknown> =>
  guard.judge(sql).then(
    ({ relations }) => relations.map(({ schema, name }) => (schema === undefined ? name : `${schema}.${name}`)),
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe('a query of Postgres', () => {
  it.each<readonly [sql: string, relations: readonly string[]]>([
    ['SELECT 1', []],
    ['SELECT * FROM Users, "Users", hr.pay, HR."Pay Roll"', ['Users', 'users', 'hr.Pay Roll', 'hr.pay']],
    ['WITH users AS (SELECT * FROM users) SELECT * FROM users', ['users']],
    ['WITH a AS (SELECT 1) SELECT * FROM a, public.a', ['public.a']],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT * FROM secret) SELECT * FROM a, b', ['b', 'secret']],
    ['WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT * FROM secret) SELECT * FROM a', ['secret']],
    ['SELECT (WITH a AS (SELECT * FROM x) SELECT count(*) FROM a), (SELECT 1 FROM a)', ['a', 'x']],
    ['SELECT * FROM t1 WHERE id IN (SELECT id FROM t2 WHERE EXISTS (SELECT 1 FROM t3)) ORDER BY (SELECT max(x) FROM t4) LIMIT (SELECT 1 FROM t5)', ['t1', 't2', 't3', 't4', 't5']],
    ['SELECT * FROM a UNION (SELECT * FROM b EXCEPT TABLE c)', ['a', 'b', 'c']],
    ['SELECT * FROM users TABLESAMPLE SYSTEM (1) REPEATABLE ((SELECT 1 FROM seeds))', ['seeds', 'users']],
    ['SELECT * FROM pg_class', ['pg_class', 'pg_catalog.pg_class']],
    ['SELECT U&"d\\0061t\\+000061" FROM U&"us\\0065rs"', ['users']],
    ['EXPLAIN (COSTS off, ANALYZE false) SELECT * FROM users', ['users']],
    ['SHOW server_version', []],
    ["SELECT * FROM json_table((SELECT doc FROM docs), '$[*]' COLUMNS (a int PATH '$.a')) j", ['docs']],
    ['SELECT a[1:2], a[lo:hi] FROM t', ['t']],
    ["SELECT 'x'::regclass, E'it\\'s; DROP', $t$ ; $t$, '--', \"--\" FROM \"a;b\"", ['a;b']],
    ['SELECT /* outer /* inner */ ; DELETE */ 1 -- ; DROP', []],
    ['SELECT pg_catalog.upper(name), (r).field, (SELECT (x).y) FROM users', ['users']],
  ])('%s reads what it says', async (sql, relations) => {
    expect(await verdict('postgres', sql)).toEqual([...relations].sort(byKey))
  })

  it.each<readonly [sql: string, code: string]>([
    ["SELECT ('/etc/passwd'::text).pg_read_file", 'sql.function'],
    ["SELECT (0.1::float8).pg_sleep", 'sql.function'],
    ["SELECT x.pg_read_file FROM unnest(ARRAY['/etc/passwd']) x", 'sql.function'],
    ["SELECT (s).nextval FROM (SELECT 'q'::regclass) t(s)", 'sql.function'],
    ["SELECT * FROM pg_ls_dir('/')", 'sql.function'],
    ["SELECT * FROM ROWS FROM (generate_series(1, 2), pg_read_file('x'))", 'sql.function'],
    ["SELECT ts_rewrite('a'::tsquery, 'DELETE FROM users RETURNING 1')", 'sql.function'],
    ["SELECT evil.upper('x')", 'sql.function'],
    ["SELECT public.upper('x')", 'sql.function'],
    ['SELECT 1 OPERATOR(evil.+) 2', 'sql.function'],
    ['SELECT * FROM users ORDER BY id USING OPERATOR(evil.<)', 'sql.function'],
    ['SELECT * FROM users TABLESAMPLE evil(1)', 'sql.function'],
    ["SELECT current_setting('x'), set_config('role', 'postgres', true)", 'sql.function'],
    ["SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) OVER (ORDER BY dblink('x')) FROM users", 'sql.function'],
    ['SELECT * INTO copy FROM users', 'sql.not-read-only'],
    ['SELECT * FROM (SELECT * FROM users FOR UPDATE) x', 'sql.not-read-only'],
    ['WITH a AS (SELECT 1), b AS (UPDATE users SET id = 1 RETURNING id) SELECT * FROM a', 'sql.not-read-only'],
    ['EXPLAIN (ANALYZE) SELECT 1', 'sql.not-read-only'],
    ['EXPLAIN (ANALYZE ON) SELECT 1', 'sql.not-read-only'],
    ["EXPLAIN (ANALYZE 'TRUE') SELECT 1", 'sql.not-read-only'],
    ['EXPLAIN DELETE FROM users', 'sql.not-read-only'],
    ['EXPLAIN EXECUTE p', 'sql.not-read-only'],
    ['EXPLAIN CREATE TABLE t AS SELECT 1', 'sql.not-read-only'],
    ['CREATE TABLE t AS SELECT 1', 'sql.not-read-only'],
    ['SELECT 1; SELECT 2', 'sql.statements'],
    [';SELECT 1', 'sql.statements'],
    ['SELECT $1', 'sql.syntax'],
    ['SELECT 1\0', 'sql.syntax'],
    ["SELECT 'unfinished", 'sql.syntax'],
    ['SELECT /* unfinished /* */', 'sql.syntax'],
    ['SELECT $a$ unfinished $b$', 'sql.syntax'],
    ['SELECT \ud800', 'sql.syntax'],
    ['', 'sql.syntax'],
    [' -- nothing\n/* at all */ ;;', 'sql.syntax'],
    [`SELECT ${'1+'.repeat(8_000)}1`, 'sql.too-complex'],
    [`SELECT ${'1 + '.repeat(401)}1`, 'sql.too-complex'],
    [`SELECT ${'('.repeat(51)}1${')'.repeat(51)}`, 'sql.too-complex'],
    [`SELECT ${'CASE WHEN true THEN '.repeat(51)}1${' END'.repeat(51)}`, 'sql.too-complex'],
    [`SELECT ${'a'.repeat(17_000)}`, 'sql.too-complex'],
    [`SELECT ${'NOT '.repeat(500)}true`, 'sql.too-complex'],
    [`SELECT 1 ${'UNION SELECT 1 '.repeat(401)}`, 'sql.too-complex'],
  ])('%.60s is refused', async (sql, code) => {
    expect(await verdict('postgres', sql)).toBe(code)
  })
})

/** As the guard orders them: by schema and name, none before any. */
const byKey = (a: string, b: string): number => {
  const key = (id: string): string => (id.includes('.') ? JSON.stringify(id.split('.')) : JSON.stringify([null, id]))
  return key(a) < key(b) ? -1 : 1
}

describe('a query of MySQL', () => {
  it.each<readonly [sql: string, relations: readonly string[]]>([
    ['SELECT * FROM Users, `hr`.`pay`', ['hr.pay', 'Users']],
    ['SELECT 1 FROM dual', []],
    ['SELECT 1 FROM `dual`', ['dual']],
    // The names of queries keep their case, as tables do: USERS is another table.
    ['WITH users AS (SELECT 1) SELECT * FROM USERS', ['USERS']],
    ['WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', ['b']],
    ['TABLE users', ['users']],
    ['SELECT a, sum(b) FROM t GROUP BY a WITH ROLLUP', ['t']],
    ['SHOW TABLES', ['information_schema.tables']],
    ['SHOW CREATE TABLE hr.pay', ['hr.pay']],
    ['SHOW COLUMNS FROM users', ['users']],
    ['DESCRIBE users', ['users']],
    ['SHOW INDEX FROM users', ['users']],
    ['SELECT * FROM (a JOIN (b CROSS JOIN c) ON 1) WHERE x MOD 2 AND NOT !y AND z SOUNDS LIKE "q" AND v = ANY (SELECT w FROM d)', ['a', 'b', 'c', 'd']],
    ['SELECT lead(a, 1, 0) OVER w, position("x" IN a), CAST(a AS CHAR(10)) FROM t WINDOW w AS (ORDER BY (SELECT 1 FROM u))', ['t', 'u']],
    ["SELECT 'it\\'s' \"a;b\" -- x\n# y\n FROM t /* z */", ['t']],
    ["SELECT * FROM JSON_TABLE((SELECT a FROM docs), '$[*]' COLUMNS (n FOR ORDINALITY, NESTED PATH '$.b' COLUMNS (m FOR ORDINALITY))) j", ['docs']],
    ['SELECT * FROM t WHERE ROW(a, b) = ROW(1, (SELECT c FROM u))', ['t', 'u']],
  ])('%s reads what it says', async (sql, relations) => {
    expect(await verdict('mysql', sql)).toEqual(relations)
  })

  it.each<readonly [sql: string, code: string]>([
    ['SELECT 1 /*!50000 UNION SELECT password FROM mysql.user */', 'sql.syntax'],
    ['SELECT 1 /*!*/', 'sql.syntax'],
    ['SELECT 1 /*M!100 , SLEEP(5) */', 'sql.syntax'],
    ['SELECT @a := 1', 'sql.syntax'],
    ['SELECT ?', 'sql.syntax'],
    ['SELECT 1 INTO @a', 'sql.not-read-only'],
    ["SELECT 'x' INTO OUTFILE '/tmp/x'", 'sql.syntax'],
    ['SELECT * FROM users FOR UPDATE', 'sql.not-read-only'],
    ['SELECT * FROM users FOR SHARE', 'sql.not-read-only'],
    ['EXPLAIN ANALYZE SELECT 1', 'sql.not-read-only'],
    ['EXPLAIN DELETE FROM users', 'sql.not-read-only'],
    ["SHOW TABLES WHERE SLEEP(5)", 'sql.function'],
    ['SHOW GRANTS', 'sql.not-read-only'],
    ['SHOW MASTER STATUS', 'sql.not-read-only'],
    ['SELECT * FROM (a JOIN (SELECT SLEEP(1)) b)', 'sql.function'],
    ['SHOW PROCESSLIST', 'sql.not-read-only'],
    ['SELECT `sleep`(5)', 'sql.function'],
    ["SELECT * FROM JSON_TABLE(LOAD_FILE('x'), '$' COLUMNS (n FOR ORDINALITY)) j", 'sql.function'],
    ['SELECT ROW(1, SLEEP(5)) = ROW(1, 2)', 'sql.function'],
    ['SELECT app.sleep(5)', 'sql.function'],
    ['SELECT Load_File(0x2f)', 'sql.function'],
    ["SELECT * FROM (SELECT LAST_INSERT_ID(7)) x", 'sql.function'],
    ['SELECT 1--1; DROP TABLE x', 'sql.statements'],
    [`SELECT ${'1+'.repeat(1_000)}1`, 'sql.too-complex'],
  ])('%.60s is refused', async (sql, code) => {
    expect(await verdict('mysql', sql)).toBe(code)
  })

  it('runs without a comment, so a hint to the server is none', async () => {
    expect((await guards.mysql.judge('SELECT /*+ SET_VAR(max_execution_time = 0) */ 1 # end')).text).toBe('SELECT 1')
  })
})

describe('a query of SQLite', () => {
  it.each<readonly [sql: string, relations: readonly string[]]>([
    ['SELECT * FROM Users JOIN [Order Items] USING (id)', ['order items', 'users']],
    ['WITH T AS (SELECT 1) SELECT * FROM t', []],
    ['SELECT * FROM users WHERE id IN ids AND name GLOB \'a*\'', ['ids', 'users']],
    ['SELECT * FROM users INDEXED BY by_name WHERE a IS NOT b', ['users']],
    ["SELECT * FROM pragma_table_info('Users')", ['users']],
    ['SELECT * FROM sqlite_schema m, pragma_table_info(m.name)', ['sqlite_schema']],
    ["SELECT value FROM json_each('[1]')", []],
    ['EXPLAIN QUERY PLAN SELECT * FROM users', ['users']],
  ])('%s reads what it says', async (sql, relations) => {
    expect(await verdict('sqlite', sql)).toEqual(relations)
  })

  it.each<readonly [sql: string, code: string]>([
    ['PRAGMA query_only = 0', 'sql.not-read-only'],
    ['SELECT * FROM sqlite_dbpage', 'sql.function'],
    ["SELECT * FROM pragma_optimize", 'sql.function'],
    ["SELECT * FROM fsdir('/')", 'sql.function'],
    ["SELECT readfile('/etc/passwd')", 'sql.function'],
    ['SELECT [load_extension](\'x\')', 'sql.function'],
    ["VACUUM INTO '/tmp/x'", 'sql.syntax'],
    ['SELECT ?1', 'sql.syntax'],
    ['SELECT $a', 'sql.syntax'],
    ['SELECT @a', 'sql.syntax'],
  ])('%.60s is refused', async (sql, code) => {
    // Some commands the parser does not know at all, which is as good.
    expect(code === 'sql.not-read-only' ? [code, 'sql.syntax'] : [code]).toContain(await verdict('sqlite', sql))
  })
})

describe('parameters', () => {
  it('become placeholders by position, and are never part of the text', async () => {
    expect(await guards.postgres.judge('SELECT * FROM t WHERE a=:a AND b=:b::int AND c=:a AND d::text = :claim.sub')).toMatchObject({
      text: 'SELECT * FROM t WHERE a= $1  AND b= $2 ::int AND c= $1  AND d::text = $3', parameters: ['a', 'b', 'claim.sub'],
    })
    expect(await guards.mysql.judge('SELECT :a, :a')).toMatchObject({ parameters: ['a', 'a'] })
    expect(await guards.sqlite.judge("SELECT ':a', :a")).toMatchObject({ text: "SELECT ':a', ?", parameters: ['a'] })
  })

  it('are no table, no column and no function', async () => {
    expect(await verdict('postgres', 'SELECT * FROM :t')).toBe('sql.syntax')
    expect(await verdict('postgres', "SELECT :f('x')")).toBe('sql.syntax')
  })
})

describe('functions of the operator', () => {
  it('may be called once they are named, and no others', async () => {
    const guard = createSqlGuard({ dialect: 'postgres', functions: ['app.score', 'rank_of'], deadlineMs: 20_000 })
    expect(await verdict('postgres', 'SELECT app.score(1), rank_of(2)', guard)).toEqual([])
    expect(await verdict('postgres', 'SELECT score(1)', guard)).toBe('sql.function')
    expect(await verdict('postgres', 'SELECT other.score(1)', guard)).toBe('sql.function')
    await guard.close()
  })
})

describe('the thread of the parser', () => {
  it('is replaced when it is killed, and only the text that it worked on is refused', async () => {
    const started: Worker[] = []
    const guard = createSqlGuard({ dialect: 'postgres', deadlineMs: 20_000, onStart: (worker) => started.push(worker) })
    expect(await verdict('postgres', 'SELECT 1', guard)).toEqual([])
    await started[0]?.terminate()
    expect(await verdict('postgres', 'SELECT 2', guard)).toBe('sql.too-complex')
    expect(await verdict('postgres', 'SELECT 3', guard)).toEqual([])
    expect(started).toHaveLength(2)
    await guard.close()
  })

  it.each(['mysql', 'sqlite'] as const)('refuses TABLE t of %s as what it cannot read', async (dialect) => {
    expect(await verdict(dialect, "SELECT 'a' UNION TABLE t")).toMatch(/^sql\./)
  })

  it('answers many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => verdict('postgres', `SELECT * FROM t${index}`)))
    expect(answers).toEqual(Array.from({ length: 50 }, (_, index) => [`t${index}`]))
  })
})
