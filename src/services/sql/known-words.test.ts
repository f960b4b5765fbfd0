import { afterAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { createSqlGuard } from './guard.ts'
import { statementOf } from './statement.ts'

// Long enough that a busy machine never decides a verdict.
const guards = { mysql: createSqlGuard({ dialect: 'mysql', deadlineMs: 20_000 }), sqlite: createSqlGuard({ dialect: 'sqlite', deadlineMs: 20_000 }) }
afterAll(() => Promise.all(Object.values(guards).map((guard) => guard.close())))

/** What it reads, or that it is refused: a text that only looks like a known one often is no sentence at all. */
const verdict = (dialect: keyof typeof guards, sql: string): Promise<unknown> =>
  guards[dialect].judge(sql).then(
    ({ relations }) => relations.map(({ schema, name }) => (schema === undefined ? name : `${schema}.${name}`)),
    (error: unknown) => (error instanceof Refusal && /^sql\.(?:syntax|not-read-only|function|statements)$/.test(error.code) ? 'refused' : error),
  )

type Row = readonly [sql: string, expected: readonly string[] | 'refused']
const REFUSED = 'refused'

/** A name that the parser of both takes for an end. */
const ENDS: readonly Row[] = [
  ['SELECT CASE WHEN 1 THEN 2 END end, (SELECT a end FROM t) FROM u end JOIN v ON 1', ['t', 'u', 'v']],
  ['SELECT 1 end, a FROM secrets', ['secrets']],
  ['SELECT * FROM t end JOIN secrets ON 1', ['secrets', 't']],
  ['SELECT 1 AS END, a FROM secrets', ['secrets']],
  ['SELECT * FROM end, app.end', ['end', 'app.end']],
  ['SELECT x.case end FROM secrets x', ['secrets']],
  ['SELECT 1 end end FROM secrets', REFUSED],
  ['SELECT CASE WHEN end THEN 1 END FROM secrets', REFUSED],
]

/** Each kind of wording, and what looks like it and is refused, or reads something else. */
const SQLITE: Readonly<Record<string, readonly Row[]>> = {
  'a pragma that describes a table': [
    ['PRAGMA table_info(users)', ['users']],
    ["pragma main.Table_XInfo ( 'Users' );", ['users']],
    ['PRAGMA index_list("us""ers")', ['us"ers']],
    ["PRAGMA foreign_key_list([it's])", ["it's"]],
    ['PRAGMA index_info(`by_name`)', ['by_name']],
    ['PRAGMA index_xinfo(by_name) -- end', ['by_name']],
    ['PRAGMA table_list', ['sqlite_schema']],
    ['PRAGMA table_list(users)', ['users']],
    ['PRAGMA table_info = users', REFUSED],
    ['PRAGMA table_info', REFUSED],
    ['PRAGMA temp.table_info(users)', REFUSED],
    ['PRAGMA main.journal_mode(delete)', REFUSED],
    ['PRAGMA journal_mode(delete)', REFUSED],
    ['PRAGMA query_only', REFUSED],
    ['PRAGMA "table_info"(users)', REFUSED],
    ['PRAGMA table_info(users), query_only(0)', REFUSED],
    ['PRAGMA table_info(users) UNION SELECT * FROM secrets', REFUSED],
    ['PRAGMA table_info(users); PRAGMA query_only = 0', REFUSED],
    ["PRAGMA table_info(x'61')", REFUSED],
    ['PRAGMA table_info(:name)', REFUSED],
    ['EXPLAIN PRAGMA table_info(users)', REFUSED],
  ],
  'a shift': [
    ['SELECT id << 2, (id>>1) & 1, 1<<-1 FROM users', ['users']],
    ["SELECT 1 << load_extension('x')", REFUSED],
    ['SELECT 1 >> (SELECT a FROM secrets)', ['secrets']],
  ],
  'a test for null': [
    ['SELECT name ISNULL, CASE WHEN id NOTNULL THEN 1 END FROM users WHERE (email ISNULL) AND email NOT NULL', ['users']],
    ["SELECT 1 WHERE load_extension('x') ISNULL", REFUSED],
    ['SELECT isnull(1)', REFUSED],
    ['SELECT * FROM users WHERE (SELECT a FROM secrets) NOTNULL', ['secrets', 'users']],
  ],
  'a hint to keep a named query': [
    ['WITH a AS MATERIALIZED (SELECT * FROM users), b AS NOT MATERIALIZED (SELECT 2) SELECT * FROM a, b', ['users']],
    ['WITH a AS MATERIALIZED (DELETE FROM users RETURNING *) SELECT * FROM a', REFUSED],
    ['WITH a AS (SELECT 1) SELECT * FROM materialized', ['materialized']],
    ['WITH a AS materialized materialized (SELECT 1) SELECT * FROM a', REFUSED],
  ],
  'what a frame excludes': [
    ['SELECT sum(a) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE NO OTHERS), sum(a) OVER w FROM t WINDOW w AS (ORDER BY id GROUPS 1 PRECEDING EXCLUDE TIES)', ['t']],
    ['SELECT sum(a) OVER (ORDER BY id RANGE CURRENT ROW EXCLUDE CURRENT ROW), sum(a) OVER (ORDER BY id RANGE CURRENT ROW EXCLUDE GROUP) FROM t', ['t']],
    ["SELECT sum(a) OVER (ORDER BY id ROWS 1 PRECEDING EXCLUDE load_extension('x')) FROM t", REFUSED],
    ['SELECT (SELECT exclude.a FROM t row, exclude ties)', ['exclude', 't']],
  ],
  'an operator that is a word': [
    ["SELECT name GLOB 'a*', id + 1 NOT MATCH 2, (name) REGEXP 'x' FROM users WHERE users MATCH 'y'", ['users']],
    ["SELECT name GLOB load_extension('x') FROM users", REFUSED],
    // Elsewhere it is a name, and none that could be taken for another.
    ['SELECT match.glob, match FROM match, app.regexp JOIN glob', ['glob', 'match', 'app.regexp']],
    ['SELECT * FROM t WHERE id IN match', ['match', 't']],
    ['WITH a AS (SELECT 1), glob AS (SELECT 2) SELECT * FROM a, glob, "like"', ['like']],
    ['WITH match AS (SELECT 1) SELECT * FROM "like"', ['like']],
    ['WITH RECURSIVE match AS (SELECT 1) SELECT * FROM match', []],
  ],
  'a hint to use an index': [
    ['SELECT * FROM users INDEXED BY by_name, main.orders o INDEXED BY "by id" JOIN t NOT INDEXED', ['t', 'users', 'main.orders']],
    // Both words are names where no hint can stand, and FROM then is more than the name of an index.
    ['SELECT *, indexed by FROM secrets, (SELECT id AS indexed FROM users)', ['secrets', 'users']],
    ['SELECT DISTINCT indexed by FROM secrets, (SELECT id AS indexed FROM users)', ['secrets', 'users']],
    ['SELECT x.indexed by FROM secrets, (SELECT id AS indexed FROM users) x', ['secrets', 'users']],
    ['SELECT * FROM indexed by, users', ['indexed', 'users']],
    ['SELECT * FROM users, indexed by JOIN orders', ['indexed', 'orders', 'users']],
    ['SELECT * FROM indexed by WHERE 1', ['indexed']],
    ['SELECT NOT indexed FROM secrets, (SELECT 1 AS indexed)', REFUSED],
  ],
  'a name that the parser takes for an end': [
    ...ENDS,
    ["SELECT 1 end, load_extension('x')", REFUSED],
    ["SELECT 1 end, readfile('x') FROM secrets", REFUSED],
  ],
  'a keyword that the parser takes for a name': [
    ['SELECT a offset FROM match m', REFUSED],
    ['SELECT * FROM t LIMIT 1 OFFSET FROM', REFUSED],
    ['SELECT a "offset", t."from" FROM t LIMIT 1 OFFSET 2', ['t']],
  ],
  'a function that the library does not have': [
    ['SELECT * FROM generate_series(1, 3)', REFUSED],
    ['SELECT value FROM json_each(\'[1]\')', []],
  ],
}

const MYSQL: Readonly<Record<string, readonly Row[]>> = {
  'what SHOW tells': [
    ['SHOW SCHEMAS', ['information_schema.schemata']],
    ['SHOW GLOBAL VARIABLES LIKE "max%"', ['performance_schema.global_variables']],
    ['SHOW SESSION STATUS', ['performance_schema.session_status']],
    ["SHOW LOCAL VARIABLES WHERE variable_name = 'x'", ['performance_schema.session_variables']],
    ["SHOW TABLE STATUS FROM app LIKE 'u%'", ['information_schema.tables']],
    ['SHOW TRIGGERS IN `app` WHERE `table` = (SELECT a FROM secrets)', ['secrets', 'information_schema.triggers']],
    ['SHOW COLLATION', ['information_schema.collations']],
    ['SHOW CHARACTER SET', ['information_schema.character_sets']],
    ['SHOW ENGINES', ['information_schema.engines']],
    ['SHOW PROCEDURE STATUS', ['information_schema.routines']],
    ['SHOW TABLE STATUS WHERE SLEEP(5)', REFUSED],
    ['SHOW COLLATION WHERE SLEEP(5)', REFUSED],
    ['SHOW TRIGGERS FROM app.users', REFUSED],
    ['SHOW TRIGGERS UNION SELECT 1', REFUSED],
    ['SHOW ENGINE INNODB STATUS', REFUSED],
    ['SHOW MASTER STATUS', REFUSED],
    ['SHOW PROCEDURE CODE p', REFUSED],
    ['SHOW GLOBAL', REFUSED],
    ['SHOW PROCESSLIST', REFUSED],
    // They tell what the query before met on this connection, which may have been another caller's.
    ['SHOW WARNINGS', REFUSED],
    ['SHOW ERRORS', REFUSED],
    ['SHOW COUNT(*) WARNINGS', REFUSED],
  ],
  'one column of a table': [
    ['DESCRIBE users name', ['users']],
    ["DESC app.users 'n%'", ['app.users']],
    ['EXPLAIN users `name`', ['users']],
    // Here TABLE begins a query, whose plan this would be.
    ['EXPLAIN TABLE secrets', REFUSED],
    ['DESCRIBE `table` secrets', ['table']],
    ['DESC DELETE users', REFUSED],
    ['EXPLAIN ANALYZE users name', REFUSED],
    ['EXPLAIN FOR CONNECTION 5', REFUSED],
    ['DESCRIBE users name; DROP TABLE users', REFUSED],
  ],
  'a unit of two parts': [
    ["SELECT DATE_ADD(a, INTERVAL '1:30' HOUR_MINUTE), a + INTERVAL '1 2' Day_Hour, EXTRACT(YEAR_MONTH FROM a) FROM t", ['t']],
    // After a dot it is a name, and this another table than app.day.
    ['SELECT * FROM app.day_hour', ['app.day_hour']],
    ['SELECT EXTRACT(YEAR_MONTH FROM SLEEP(5))', REFUSED],
    ['SELECT a + INTERVAL SLEEP(5) DAY_HOUR FROM t', REFUSED],
  ],
  'the function INTERVAL': [
    ['SELECT INTERVAL(23, 1, (SELECT a FROM t)), a + INTERVAL (1 + 2) DAY, a + INTERVAL GREATEST(1, 2) DAY FROM u', ['t', 'u']],
    ['SELECT INTERVAL(23, SLEEP(5))', REFUSED],
    ['SELECT evil.interval(23, 1)', REFUSED],
  ],
  'words between arguments': [
    ['SELECT TRIM(BOTH FROM name), TRIM(TRAILING FROM name), TRIM(LEADING "x" FROM name) FROM users', ['users']],
    ['SELECT TRIM(BOTH FROM (SELECT a FROM secrets)), TRIM(BOTH FROM (SELECT 1))', ['secrets']],
    ['SELECT TRIM(BOTH FROM SLEEP(5))', REFUSED],
    ['SELECT MID(name FROM 2 FOR 3), MID(name FROM 2), SUBSTRING(name FROM 2 FOR 3), mid(name, 2) FROM users', ['users']],
    ['SELECT MID(name FROM SLEEP(5)) FROM users', REFUSED],
    ['SELECT MID((SELECT a FROM secrets) FROM 2)', ['secrets']],
    ['SELECT MID(SELECT a FROM secrets)', REFUSED],
    ['SELECT MID((SELECT a FROM secrets FOR UPDATE), 1)', REFUSED],
    // Where a blank follows, the name of a function can be that of a query: replaced by SUBSTRING, it would hide a table of that name.
    ['WITH mid (a) AS (SELECT 1) SELECT * FROM mid, substring', ['substring']],
    ['SELECT CHAR(77, 121 USING utf8mb4), CONVERT(name USING latin1) FROM users', ['users']],
    ['SELECT CHAR(SLEEP(5) USING utf8mb4)', REFUSED],
    ['SELECT CHAR(77 USING (SELECT a FROM secrets))', REFUSED],
    ["SELECT JSON_VALUE(a, '$.a' RETURNING SIGNED) FROM t", ['t']],
    ["SELECT JSON_VALUE(LOAD_FILE('x'), '$.a' RETURNING SIGNED)", REFUSED],
    ["DELETE FROM t RETURNING SIGNED", REFUSED],
  ],
  'the limit of an aggregate': [
    ["SELECT GROUP_CONCAT(a ORDER BY b LIMIT 2), GROUP_CONCAT(a SEPARATOR ';' LIMIT 1, 2), JSON_ARRAYAGG(a LIMIT 1 OFFSET 1) FROM t", ['t']],
    ['SELECT GROUP_CONCAT((SELECT a FROM secrets LIMIT 2) LIMIT 2) FROM t', ['secrets', 't']],
    ['SELECT GROUP_CONCAT(a LIMIT SLEEP(5)) FROM t', REFUSED],
    ['SELECT GROUP_CONCAT(a LIMIT 1 INTO @a) FROM t', REFUSED],
  ],
  'an escape of ODBC': [
    ["SELECT {d '2024-01-01'}, {ts '2024-01-01 10:00:00'}, {fn UPPER(a)} FROM {oj t LEFT JOIN u ON t.a = u.a}", ['t', 'u']],
    ['SELECT {fn SLEEP(5)}', REFUSED],
    ['SELECT SLEEP{d 5}', REFUSED],
    ['SELECT {sleep (5)}', REFUSED],
    ['SELECT (1}', REFUSED],
    ['{SELECT 1}', REFUSED],
  ],
  'what an index hint is for': [
    ['SELECT * FROM t IGNORE INDEX FOR ORDER BY (i) USE KEY FOR JOIN (j) FORCE INDEX FOR GROUP BY (k)', ['t']],
    ['SELECT * FROM t USE INDEX (i) FOR UPDATE', REFUSED],
    ['SELECT * FROM t USE INDEX FOR UPDATE (i)', REFUSED],
  ],
  'a name that the parser takes for an end': [
    ...ENDS,
    ['SELECT 1 end, SLEEP(5)', REFUSED],
    ["SELECT 1 end, LOAD_FILE('/etc/passwd')", REFUSED],
    ["SELECT a end INTO OUTFILE '/tmp/x' FROM secrets", REFUSED],
    ['SELECT 1 end FOR UPDATE', REFUSED],
    ['SELECT 1 end; DROP TABLE secrets', REFUSED],
    ['SHOW TABLES END SLEEP(5)', REFUSED],
    ['DESCRIBE users end', ['users']],
  ],
  'a keyword that the parser takes for a name': [
    ['SELECT a offset FROM row', REFUSED],
    ['SELECT * FROM t LIMIT 1 OFFSET FROM', REFUSED],
    ['SELECT a `offset`, t.from, t.`order` FROM t LIMIT 1 OFFSET 2', ['t']],
  ],
  'tables in brackets': [
    ['SELECT * FROM (users, orders)', ['orders', 'users']],
    ['SELECT * FROM ((a, b), app.c) LEFT JOIN (d x, `e`) ON x.id = a.id', ['a', 'app.c', 'b', 'd', 'e']],
    ['SELECT * FROM (SELECT a, b FROM t) x, (SELECT 1, 2) y', ['t']],
    ['SELECT * FROM (users, (SELECT SLEEP(5)) x)', REFUSED],
    ['SELECT * FROM (users, SLEEP(5))', REFUSED],
    ['WITH a AS (SELECT 1) SELECT * FROM (a, b)', ['b']],
    ['SELECT * FROM (a JOIN b USING (x, y)) WHERE (1, 2) IN (SELECT c, d FROM e)', ['a', 'b', 'e']],
  ],
}

const rows = (kinds: Readonly<Record<string, readonly Row[]>>): readonly (readonly [kind: string, ...row: Row])[] =>
  Object.entries(kinds).flatMap(([kind, cases]) => cases.map((row) => [kind, ...row] as const))

const sorted = (expected: Row[1]): Row[1] => (expected === REFUSED ? expected : [...expected].sort(byKey))

/** As the guard orders them: by schema and name, none before any. */
const byKey = (a: string, b: string): number => (key(a) < key(b) ? -1 : 1)
const key = (id: string): string => JSON.stringify(id.includes('.') ? id.split('.') : [null, id])

describe('words that the parser lacks', () => {
  it.each(rows(SQLITE))('of SQLite, %s: %s', async (_, sql, expected) => {
    expect(await verdict('sqlite', sql)).toEqual(sorted(expected))
  })

  it.each(rows(MYSQL))('of MySQL, %s: %s', async (_, sql, expected) => {
    expect(await verdict('mysql', sql)).toEqual(sorted(expected))
  })

  it.each<readonly [dialect: Dialect, sql: string, text: string]>([
    ['sqlite', 'PRAGMA main.table_info("it\'s") -- end', "SELECT * FROM pragma_table_info('it''s')"],
    ['sqlite', 'SELECT 1 << 2 ISNULL', 'SELECT 1 << 2 ISNULL'],
    ['mysql', "SHOW TABLE STATUS LIKE 'u%'", "SHOW TABLE STATUS LIKE 'u%'"],
    ['mysql', "SELECT {d '2024-01-01'} FROM (a, b)", "SELECT {d '2024-01-01'} FROM (a, b)"],
  ])('%s runs %s as %s', (dialect, sql, text) => {
    expect(statementOf(sql, dialect).text).toBe(text)
  })
})
