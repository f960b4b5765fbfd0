import { expect, it } from 'vitest'
import { cleanLine, cleanText } from '../content/clean-text.ts'
import type { SqlEngine } from './engine-port.ts'
import { createSqlGuard } from './guard.ts'
import { createSql } from './sql-service.ts'

/** A service over an engine that answers with these rows. */
async function answered(...rows: readonly (readonly unknown[])[]) {
  const guard = createSqlGuard({ dialect: 'sqlite', deadlineMs: 20_000 })
  const limits = { maxRows: 10, maxBytes: 10_000, maxColumns: 10, timeoutMs: 1_000 }
  let schemas = 0
  const engine: SqlEngine = {
    dialect: 'sqlite', tables: async () => [], close: async () => {},
    query: async () => ({ columns: [], lines: rows.map((row) => JSON.stringify(row)) }),
    async defaultSchema() {
      schemas += 1
      return 'main'
    },
  }
  const sql = createSql({ guard, engine, limits, maxQueryChars: 1_000, cleanText, cleanLine })
  const answer = await sql.run('SELECT a FROM t', {}, { subject: 'a', signal: new AbortController().signal })
  expect([await sql.reads('SELECT a FROM t'), await sql.reads('SELECT a FROM t')]).toMatchObject([[{ id: 'main.t', alias: 't' }], [{ id: 'main.t', alias: 't' }]])
  await guard.close()
  return { ...answer, rows: answer.rows, schemas }
}

it('hands on what is clean as it came', async () => {
  const rows = [[1, 'plain "quoted" C:\\bin', null], [2, 'caf\u00e9 \ud83d\ude00 \u0645\n\tnext', true], [3, { 'a key': ['b'] }, '']]
  expect((await answered(...rows)).rows).toEqual(rows)
})

it.each([
  ['zero\u200bwidth', 'zerowidth'], ['\u001b[31mred', 'red'], ['a\u007fb', 'ab'], ['a\rb', 'a\nb'], ['e\u0301', '\u00e9'], ['\ud800', '\ufffd'], ['a\u0085b', 'a\nb'],
])('cleans %j, in a cell and within one', async (dirty, clean) => {
  expect((await answered([1, dirty], [2, { [dirty]: [dirty] }], ['as it was'])).rows).toEqual([[1, clean], [2, { [clean]: [clean] }], ['as it was']])
})

it('asks for the schema of a judged text once', async () => {
  expect((await answered([1])).schemas).toBe(1)
})
