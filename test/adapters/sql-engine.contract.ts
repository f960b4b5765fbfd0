/** What every database that queries run on must do, whatever stands before it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/kernel/refusal.ts'
import { rowsOf } from '../../src/services/sql/engine-port.ts'
import type { EngineRows, RowLimits, SqlEngine, SqlValue } from '../../src/services/sql/engine-port.ts'
import type { TestDatabase } from './sql-databases.ts'

export interface Flavour {
  readonly open: () => Promise<TestDatabase>
  readonly engine: (dsn: string) => SqlEngine
  /** The placeholder of the given position, from 1. */
  readonly placeholder: (position: number) => string
  /** Statements that write, sent past the guard. */
  readonly writes: readonly string[]
  /** Runs for very long without sending a row. */
  readonly endless: string
  /** One row with one value of many megabytes. */
  readonly huge: string
  /** Columns of every type, and what they become. */
  readonly typed: { readonly sql: string; readonly cells: readonly unknown[] }
  /** Ends the connections that the engine holds, as a restart of the server does. */
  readonly cut?: (database: TestDatabase, engine: SqlEngine) => Promise<void>
}

const LIMITS: RowLimits = { maxRows: 100, maxBytes: 100_000, maxColumns: 10, timeoutMs: 20_000 }

export function sqlEngineContract(name: string, flavour: Flavour): void {
  describe(`the sql engine over ${name}`, () => {
    let database: TestDatabase
    let engine: SqlEngine

    beforeAll(async () => {
      database = await flavour.open()
      engine = flavour.engine(database.dsn)
    })
    afterAll(async () => {
      await engine.close()
      await database.close()
    })

    const ask = (text: string, { values = [], limits = {}, signal = new AbortController().signal }: { values?: readonly SqlValue[]; limits?: Partial<RowLimits>; signal?: AbortSignal } = {}): Promise<EngineRows & { rows: ReturnType<typeof rowsOf> }> =>
      engine.query({ text, values, limits: { ...LIMITS, ...limits } }, signal).then((answer) => ({ ...answer, rows: rowsOf(answer) }))
    const codeOf = (asked: Promise<unknown>): Promise<unknown> => asked.then(() => 'answered', (error: unknown) => (error instanceof Refusal ? error.code : error))

    it('answers rows by position, with the names of their columns', async () => {
      const { columns, rows, cut } = await ask('SELECT id, name, email, id FROM users ORDER BY id')
      expect(columns.map((column) => column.name)).toEqual(['id', 'name', 'email', 'id'])
      expect(rows).toEqual([[1, 'ann', 'ann@example.com', 1], [2, 'bob', null, 2], [3, 'cy', 'cy@example.com', 3]])
      expect(cut).toBeUndefined()
    })

    it('says what the columns are where there is no row', async () => {
      expect(await ask('SELECT id, name FROM users WHERE 1 = 0')).toMatchObject({ columns: [{ name: 'id' }, { name: 'name' }], rows: [] })
    })

    it('keeps every value exact', async () => {
      expect((await ask(flavour.typed.sql, { limits: { maxColumns: 50 } })).rows).toEqual([flavour.typed.cells])
    })

    it('binds values, whatever they hold', async () => {
      const hostile = "x'; DELETE FROM users; -- \\' \" ` $1 ? :a"
      const { rows } = await ask(`SELECT id FROM users WHERE name = ${flavour.placeholder(1)} OR id = ${flavour.placeholder(2)}`, { values: [hostile, 2] })
      expect(rows).toEqual([[2]])
      expect((await ask('SELECT count(*) FROM users')).rows).toEqual([[3]])
    })

    it('stops at the limits of rows, columns and bytes, and says which', async () => {
      expect(await ask('SELECT id FROM users ORDER BY id', { limits: { maxRows: 2 } })).toMatchObject({ rows: [[1], [2]], cut: 'rows' })
      expect(await ask('SELECT id FROM users ORDER BY id', { limits: { maxRows: 3 } })).toEqual(expect.not.objectContaining({ cut: 'rows' }))
      expect(await ask('SELECT id, name, email FROM users ORDER BY id', { limits: { maxColumns: 2, maxRows: 1 } })).toMatchObject({ columns: [{ name: 'id' }, { name: 'name' }], rows: [[1, 'ann']] })
      expect(await ask('SELECT name, email FROM users ORDER BY id', { limits: { maxBytes: 40 } })).toMatchObject({ rows: [['ann', 'ann@example.com']], cut: 'bytes' })
    })

    it('answers the same each time, with many rows and at every limit', async () => {
      const many = 'SELECT a.id, b.name FROM users a, users b, users c, users d, users e, users f ORDER BY a.id, b.id'
      for (const limits of [{ maxRows: 1_000 }, { maxRows: 500 }, { maxRows: 1_000, maxBytes: 3_000 }, { maxRows: 1_000 }]) {
        const first = await ask(many, { limits })
        expect(await ask(many, { limits })).toEqual(first)
        expect(await ask(many, { limits })).toEqual(first)
        expect([first.cut, first.rows[0]]).toEqual([limits.maxBytes ? 'bytes' : limits.maxRows === 500 ? 'rows' : undefined, [1, 'ann']])
        if (!limits.maxBytes) expect(first.rows).toHaveLength(Math.min(limits.maxRows, 729))
      }
    })

    it('never holds a value far over the limit of bytes', async () => {
      expect(await ask(flavour.huge)).toMatchObject({ rows: [], cut: 'bytes' })
      expect((await ask('SELECT 1')).rows).toEqual([[1]])
    })

    it.each(flavour.writes)('refuses to run %s', async (text) => {
      expect(['sql.failed', 'sql.cost']).toContain(await codeOf(ask(text)))
      expect((await ask('SELECT count(*) FROM users')).rows).toEqual([[3]])
    })

    it('says what is wrong without repeating it', async () => {
      const error = await ask('SELECT secret_column FROM users').catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'sql.failed', hint: 'a column does not exist; sql://schema lists what does' })
      expect(JSON.stringify({ ...(error as Refusal) })).not.toContain('secret')
      expect(await ask('SELECT * FROM nowhere').catch((thrown: unknown) => thrown)).toMatchObject({ hint: 'a table does not exist; sql://schema lists what does' })
    })

    it('ends what takes too long, and is free for the next', async () => {
      expect(await codeOf(ask(flavour.endless, { limits: { timeoutMs: 300 } }))).toBe('sql.cost')
      expect((await ask('SELECT 1')).rows).toEqual([[1]])
    })

    it('ends what nobody waits for', async () => {
      const controller = new AbortController()
      const left = new Refusal('call.cancelled')
      const asked = Promise.all([1, 2, 3].map(() => codeOf(ask(flavour.endless, { signal: controller.signal }))))
      setTimeout(() => controller.abort(left), 200)
      expect(await asked).toEqual(['call.cancelled', 'call.cancelled', 'call.cancelled'])
      expect((await ask('SELECT 1')).rows).toEqual([[1]])
    })

    it('answers many at once', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(`SELECT ${flavour.placeholder(1)}`, { values: [String(index)] })))
      expect(answers.map(({ rows }) => String(rows[0]?.[0]))).toEqual(Array.from({ length: 40 }, (_, index) => String(index)))
    })

    it('lists tables with their columns', async () => {
      const schema = await engine.defaultSchema()
      const shapes = await engine.tables(100, new AbortController().signal)
      expect(shapes.filter((shape) => shape.schema === schema).map((shape) => shape.name)).toEqual(expect.arrayContaining(['notes', 'orders', 'update_log', 'users']))
      expect(shapes.find((shape) => shape.schema === schema && shape.name === 'users')?.columns.map((column) => column.name)).toEqual(['id', 'name', 'email'])
      expect(await engine.tables(1, new AbortController().signal)).toHaveLength(1)
    })

    it.skipIf(!flavour.cut)('recovers when the server drops its connections (skipped where there is no server)', async () => {
      await Promise.all([ask('SELECT 1'), ask('SELECT 2')])
      const running = codeOf(ask(flavour.endless))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await flavour.cut?.(database, engine)
      expect(['sql.unavailable', 'sql.cost']).toContain(await running)
      const after = await Promise.all(Array.from({ length: 8 }, () => codeOf(ask('SELECT 1'))))
      expect(after.every((code) => code === 'answered' || code === 'sql.unavailable')).toBe(true)
      expect((await ask('SELECT 1')).rows).toEqual([[1]])
    })
  })
}
