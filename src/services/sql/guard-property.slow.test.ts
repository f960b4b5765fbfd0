import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { createSqlGuard } from './guard.ts'
import { tokensOf } from './lexer.ts'
import { statementOf } from './statement.ts'

const guards = {
  postgres: createSqlGuard({ dialect: 'postgres', deadlineMs: 20_000 }),
  mysql: createSqlGuard({ dialect: 'mysql', deadlineMs: 20_000 }),
  sqlite: createSqlGuard({ dialect: 'sqlite', deadlineMs: 20_000 }),
}
beforeAll(() => loadModule())
afterAll(() => Promise.all(Object.values(guards).map((guard) => guard.close())))

/** What queries, attacks and half-closed texts are made of. */
const PIECES = [
  'SELECT', 'SELECT 1', 'select * from users', 'DELETE FROM users', 'DROP TABLE x', 'UPDATE t SET a=1', 'INSERT INTO t VALUES (1)', 'WITH a AS (', 'FROM', 'WHERE', 'UNION', 'VALUES (1)', 'TABLE t', 'EXPLAIN', 'ANALYZE',
  'INTO', 'FOR UPDATE', 'RETURNING *', '1', '1.5e3', '.5', '0x1F', 'a', 'a.b', 'count(*)', 'pg_sleep(1)', '(', ')', '[', ']', ',', ';', ';;', '.', '*', '+', '-', '--', '-- x\n', '--\r', '--x', '/*', '*/', '/**/', '/*!', '/*M!', '/*+', '#', '# x\n',
  "'", "''", "'a'", "'a;b'", "'\\'", "E'\\''", "E'", "e'\\\\'", "U&'\\0027'", "x'00'", "B'1'", "N'a'", '"', '"a"', '"a;b"', '""', 'U&"\\0061"', '`', '`a`', '[a]', '[', '$$', '$$ ; $$', '$a$', '$a$ $$ $a$', '$1', '?', ':a', '::int', ':=', '@a', '@@b', '\\', '\n', '\r', '\t', '\v', '\f', '\u00a0', '\ufeff', '\0', 'é', '\u2028', '💥', '\ud800', ' ', ' AND ', ' = ', '<>', '||', '->>', '<=>', 'CASE WHEN 1 THEN', 'END', 'IN (', "LIKE '%'", 'GLOB', 'COLLATE',
] as const

const soup = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', '\n')), { maxLength: 14 }).map((parts) => parts.flat().join(''))
/** Begins like a query, so that more of them pass. */
const likely = fc.tuple(fc.constantFrom("SELECT 'a' ", 'SELECT a, ', 'SELECT 1 ', 'SELECT * FROM t WHERE a = '), soup).map((parts) => parts.join(''))
const statements = fc.oneof(soup, likely)

const attempt = async (dialect: Dialect, sql: string): Promise<{ readonly text: string } | undefined> => {
  try {
    return await guards[dialect].judge(sql)
  } catch (error) {
    if (error instanceof Refusal && error.code.startsWith('sql.')) return undefined
    throw error
  }
}

/** The tree without places in the text. */
const meaning = (sql: string): string => JSON.stringify((parseSync(sql) as { readonly stmts?: unknown }).stmts, (key, value: unknown) => (['location', 'stmt_len', 'stmt_location', 'name_location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end'].includes(key) ? undefined : value))
const isOneReader = (sql: string): boolean => {
  const { stmts = [] } = parseSync(sql) as { readonly stmts?: readonly { readonly stmt?: object }[] }
  const [type = ''] = Object.keys(stmts[0]?.stmt ?? {})
  return stmts.length === 1 && ['SelectStmt', 'ExplainStmt', 'VariableShowStmt'].includes(type)
}

describe('random statements', () => {
  it.each(['postgres', 'mysql', 'sqlite'] as const)('of %s are refused or judged, and never break anything', async (dialect) => {
    await fc.assert(fc.asyncProperty(statements, async (sql) => void (await attempt(dialect, sql))), { numRuns: 1_500 })
    expect(await attempt(dialect, 'SELECT 1')).toMatchObject({ text: 'SELECT 1' })
  }, 120_000)

  it('that pass are one reading statement to Postgres, and mean what was written', async () => {
    let passed = 0
    await fc.assert(
      fc.asyncProperty(statements, async (sql) => {
        const judged = await attempt('postgres', sql)
        if (!judged || sql.includes(':a')) return
        passed += 1
        expect([sql, isOneReader(sql)]).toEqual([sql, true])
        expect(meaning(judged.text)).toBe(meaning(sql))
      }),
      { numRuns: 4_000 },
    )
    expect(passed).toBeGreaterThan(50)
  }, 120_000)

  it('leave no comment in what runs', () => {
    fc.assert(
      fc.property(statements, fc.constantFrom('postgres', 'mysql', 'sqlite'), (sql, dialect) => {
        if (sql.includes(':a')) return
        let text: string
        try {
          text = statementOf(sql, dialect).text
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
          return
        }
        const outside = tokensOf(text, dialect).filter(({ kind }) => kind !== 'text' && kind !== 'name').map((token) => token.text).join(' ')
        expect(/--|\/\*|#\s/.test(dialect === 'postgres' ? outside.replaceAll(/#/g, '') : outside)).toBe(false)
        // Reading it again finds the same tokens: nothing that ran together became another one.
        expect(statementOf(text, dialect).text).toBe(text)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('long statements', () => {
  it('take time in line with their length', () => {
    for (const piece of ['(', ')', "'", '"', '`', '[', '$$', '$a$', '--', '/*', '*/', '/**/', "''", 'a', '1', '.', ',', '+', ' ', ':a', '\\', "E'\\"]) {
      for (const dialect of ['postgres', 'mysql', 'sqlite'] as const) {
        const start = performance.now()
        try {
          statementOf(piece.repeat(Math.floor(16_384 / piece.length)), dialect)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
        // Quadratic work on 16 kB would take seconds even on a fast machine.
        expect([piece, dialect, performance.now() - start < 2_000]).toEqual([piece, dialect, true])
      }
    }
  })
})
