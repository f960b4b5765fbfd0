import { expect, it } from 'vitest'
import type { Database, Session, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { refusal } from '../../kernel/refusal.ts'
import { createEmbeddedEngine } from './embedded-engine.ts'

const LIMITS = { maxRows: 2, maxBytes: 1_000, maxColumns: 2, timeoutMs: 100 }
const SIGNAL = new AbortController().signal

function engineOver(answer: (statement: Statement, session: Session) => unknown) {
  const asked: (readonly [Statement, Session])[] = []
  const database = {
    query: async (statement: Statement, session: Session) => {
      asked.push([statement, session])
      return answer(statement, session)
    },
  } as unknown as Database
  return { engine: createEmbeddedEngine(() => database), asked }
}

it('runs a query as a reader, with its limits, and types what comes back', async () => {
  const { engine, asked } = engineOver(() => ({ columns: [{ name: 'n', typeOid: 23 }, { name: 'b', typeOid: 16 }], rows: [['7', 't'], [null, 'f']], truncated: false, changed: 0 }))
  expect(await engine.query({ text: 'SELECT 1', values: [5, null, ['a', 'b']], limits: LIMITS }, SIGNAL)).toEqual({
    columns: [{ name: 'n', type: 'integer' }, { name: 'b', type: 'boolean' }], lines: ['[7,true]', '[null,false]'],
  })
  expect(asked).toMatchObject([[{ sql: 'SELECT 1', values: ['5', null, '{"a","b"}'] }, { role: 'reader', timeoutMs: 100 }]])
})

it('says at which limit it stopped', async () => {
  const rows = (count: number, width: number) => ({
    columns: Array.from({ length: width }, (_one, at) => ({ name: `c${at}`, typeOid: 25 })), rows: Array.from({ length: count }, () => Array.from({ length: width }, () => 'x')), truncated: true, changed: 0,
  })
  const ask = async (answer: unknown) => (await engineOver(() => answer).engine.query({ text: '', values: [], limits: LIMITS }, SIGNAL)).cut
  expect(await ask(rows(3, 2))).toBe('rows')
  expect(await ask(rows(1, 3))).toBe('columns')
  expect(await ask(rows(1, 1))).toBe('bytes')
  expect(await ask({ ...rows(2, 2), truncated: false })).toBeUndefined()
})

it.each([
  [new StatementError('42P01', 'relation "secret" does not exist'), 'sql.failed'],
  [new StatementError('57014', 'cancelled'), 'sql.cost'],
  [refusal('database.timeout'), 'sql.cost'],
  [refusal('database.unavailable'), 'sql.unavailable'],
])('turns %o into a refusal without the words of the database', async (thrown, code) => {
  const { engine } = engineOver(() => {
    throw thrown
  })
  const error = await engine.query({ text: '', values: [], limits: LIMITS }, SIGNAL).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'Refusal', code })
  expect(JSON.stringify(error) + String(error)).not.toContain('secret')
})
