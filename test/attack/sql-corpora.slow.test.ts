import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/kernel/refusal.ts'
import { createSqlGuard } from '../../src/services/sql/guard.ts'
import { loadCorpus } from './sql-corpus.ts'
import type { CorpusStatement } from './sql-corpus.ts'

const FOLDER = '../shared/corpora/sql'

/** Functions that a plain SELECT of the corpora calls and that stay refused, by the reason why. */
const EXCEPTIONS = JSON.parse(readFileSync(new URL('sql-exceptions.json', import.meta.url), 'utf8')) as Readonly<Record<string, readonly string[]>>
const REFUSED_CALLS = new Set(Object.values(EXCEPTIONS).flat())

// A deadline that a busy machine meets too: what is tested is the verdict.
const guard = createSqlGuard({ dialect: 'postgres', deadlineMs: 20_000 })
const verdict = (sql: string): Promise<string> =>
  guard.judge(sql).then(
    () => 'allowed',
    (error: unknown) => (error instanceof Refusal ? error.code : `fault: ${String(error)}`),
  )

describe.skipIf(!existsSync(FOLDER))(`the public SQL corpora (skipped where ${FOLDER} is absent)`, () => {
  let verdicts: readonly (CorpusStatement & { readonly got: string })[] = []

  beforeAll(async () => {
    const statements = await loadCorpus(FOLDER)
    verdicts = await Promise.all(statements.map(async (statement) => ({ ...statement, got: await verdict(statement.sql) })))
  }, 300_000)
  afterAll(() => guard.close())

  const of = (is: CorpusStatement['is']) => verdicts.filter((statement) => statement.is === is)

  it('hold thousands of each kind', () => {
    expect(of('read').length).toBeGreaterThan(8_000)
    expect(of('write').length).toBeGreaterThan(11_000)
  })

  it('have every write refused, and nothing judged by accident', () => {
    expect(of('write').filter(({ got }) => got === 'allowed')).toEqual([])
    expect(verdicts.filter(({ got }) => got.startsWith('fault'))).toEqual([])
  })

  it('have every plain SELECT allowed, but for those that call a listed function', () => {
    const refused = of('read').filter(({ got }) => got !== 'allowed')
    const unexplained = refused.filter(({ calls, got }) => got !== 'sql.function' || !calls.some((name) => REFUSED_CALLS.has(name)))
    expect(unexplained.filter(({ sql }) => !sql.includes('TABLESAMPLE FOOBAR'))).toEqual([])
    console.log(`${of('read').length} plain SELECTs, of which ${refused.length} are refused; ${of('write').length} writes, all refused`)
    for (const [reason, names] of Object.entries(EXCEPTIONS)) {
      console.log(`${refused.filter(({ calls }) => calls.some((name) => names.includes(name))).length} call what ${reason}: ${names.join(', ')}`)
    }
  })

  it('leave no exception without a use, and no listed function allowed', () => {
    const called = new Set(of('read').filter(({ got }) => got === 'sql.function').flatMap(({ calls }) => calls))
    expect([...REFUSED_CALLS].filter((name) => !called.has(name))).toEqual([])
    expect(of('read').filter(({ got, calls }) => got === 'allowed' && calls.some((name) => REFUSED_CALLS.has(name) && name !== 'ts_rewrite'))).toEqual([])
  })
})
