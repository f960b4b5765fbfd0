/** What every adapter of the `Database` port does. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Migration, Session } from '../../src/kernel/ports/database.ts'

/** One empty database. Everything that is opened in it sees the same rows, as other processes would. */
export interface DatabaseWorld {
  open(): Database
  /** Everything that was opened is closed by then. */
  remove(): Promise<void>
}

const SCHEMA: readonly Migration[] = [
  { name: 'test.items', sql: `create table public.items (id int primary key, name text, weight numeric, made timestamptz, extra jsonb, raw bytea);
insert into public.items select g, 'item ' || g, g / 3.0, timestamptz '2020-01-01 00:00:00+00', '{"a": [1]}', '\\x00ff' from generate_series(1, 1000) g;
do $$ begin create role arrowhead_reader nologin; exception when duplicate_object then null; end $$;
grant select on public.items to public;` },
  { name: 'test.secrets', sql: `create table arrowhead.secrets (id int primary key, words text);
insert into arrowhead.secrets values (1, 'hidden');
grant select on arrowhead.secrets to arrowhead_searcher; grant select, insert, update, delete on arrowhead.secrets to arrowhead_writer;` },
]

const reader: Session = { role: 'reader' }
const searcher: Session = { role: 'searcher' }
const writer: Session = { role: 'writer' }
const statement = (sqlState: string) => expect.objectContaining({ name: 'StatementError', sqlState })
const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code })

export function databaseContract(name: string, makeWorld: () => Promise<DatabaseWorld>): void {
  describe(`the database ${name}`, () => {
    let world: DatabaseWorld
    let database: Database
    const cells = async (sql: string, session: Session = reader, values: readonly (string | number | null)[] = []) => (await database.query({ sql, values }, session)).rows
    beforeAll(async () => {
      world = await makeWorld()
      database = world.open()
      await database.migrate(SCHEMA)
    }, 120_000)
    afterAll(async () => {
      await database.close()
      await world.remove()
    })

    it('applies each step of a schema once', async () => {
      expect(await database.migrate(SCHEMA)).toEqual([])
      expect(await database.migrate([...SCHEMA, { name: 'test.later', sql: 'create table arrowhead.later (id int);' }])).toEqual(['test.later'])
    })

    it('leaves nothing of a step that fails', async () => {
      await expect(database.migrate([{ name: 'test.broken', sql: 'create table arrowhead.broken (id int); select 1 / 0;' }])).rejects.toEqual(statement('22012'))
      expect(await cells("select to_regclass('arrowhead.broken')", { role: 'owner' })).toEqual([[null]])
    })

    it('gives every type in the text that loses nothing, and NULL as null', async () => {
      expect(await database.query({ sql: "select 9007199254740993::int8 a, 0.10::numeric b, null c, '\\x00ff'::bytea d, '{\"a\":1}'::jsonb e, array[1,null] f, true g, 'NaN'::float8 h" }, reader)).toEqual({
        columns: [['a', 20], ['b', 1700], ['c', 25], ['d', 17], ['e', 3802], ['f', 1007], ['g', 16], ['h', 701]].map(([column, typeOid]) => ({ name: column, typeOid })),
        rows: [['9007199254740993', '0.10', null, '\\x00ff', '{"a": 1}', '{1,NULL}', 't', 'NaN']], truncated: false, changed: 0,
      })
    })

    it('binds values of every kind as values, whatever they look like', async () => {
      const sql = 'select $1::text, $2::int, $3::bool, $4::text[], $5::float8[], $6::text'
      const tricky = `'; drop table items; -- "\\ {a,b} \n é 🙂`
      const { rows } = await database.query({ sql, values: [tricky, 7, true, ['a,b', '"c"', '\\d', null, ''], [1.5, -2], null] }, reader)
      expect(rows).toEqual([[tricky, '7', 't', '{"a,b","\\"c\\"","\\\\d",NULL,""}', '{1.5,-2}', null]])
    })

    it('binds four-byte numbers as they are, from this process and from another', async () => {
      const numbers = Float32Array.from([1.5, -2, Math.fround(0.1), 3.4e38, 0])
      const other = world.open()
      try {
        for (const asked of [database, other]) {
          const { rows } = await asked.query({ sql: 'select $1::real[], ($1::real[])[2:3], $2::real[]', values: [numbers, new Float32Array()] }, reader)
          expect(rows).toEqual([['{1.5,-2,0.1,3.4e+38,0}', '{-2,0.1}', '{}']])
        }
      } finally {
        await other.close()
      }
    })

    it('stops at the caps for rows, bytes and columns, and says so', async () => {
      expect(await database.query({ sql: 'select id from items order by id' }, { ...reader, maxRows: 3 })).toMatchObject({ rows: [['1'], ['2'], ['3']], truncated: true })
      const heavy = await database.query({ sql: "select repeat('x', 1000) from generate_series(1, 1000000)" }, { ...reader, maxBytes: 5500 })
      expect([heavy.rows.length, heavy.truncated]).toEqual([5, true])
      expect(await database.query({ sql: 'select 1 as a, 2 as b, 3 as c' }, { ...reader, maxColumns: 2 })).toMatchObject({ rows: [['1', '2']], truncated: true })
      expect(await database.query({ sql: 'select id from items where id <= 3 order by id' }, { ...reader, maxRows: 3 })).toMatchObject({ truncated: false })
    })

    it('explains a query to a reader, and says what a setting is', async () => {
      const plan = await cells('explain select * from items where id = $1::int', reader, [7])
      expect(plan.flat().join()).toMatch(/items/)
      expect(await cells('SHOW transaction_read_only')).toEqual([['on']])
      await expect(cells('explain analyze delete from items')).rejects.toMatchObject({ name: 'StatementError' })
    })

    it.each([
      ['a write', 'delete from items'],
      ['a write inside a query', 'with gone as (delete from items returning 1) select * from gone'],
      ['a second statement', 'select 1; select 2'],
      ['the end of the transaction', 'commit'],
      ['another role', 'reset role'],
      ['a lock', 'select * from items for update'],
      ['a new table', 'select * into made from items'],
      ['a program', "copy items to program 'id'"],
      ['a block of code', "do $$ begin perform 1; end $$"],
      ['a call', 'call nothing()'],
      ['what is kept for others', 'select * from arrowhead.secrets'],
      ['what is kept for others, by a cast', "select * from arrowhead.secrets::text"],
    ])('refuses a reader %s', async (_what, sql) => {
      await expect(database.query({ sql }, reader)).rejects.toMatchObject({ name: 'StatementError' })
      expect(await cells('select count(*) from items')).toEqual([['1000']])
    })

    it('gives a reader no way into another role, or out of its own', async () => {
      const tries = ["select set_config('role', 'postgres', true)", "select set_config('role', 'arrowhead_writer', false)", "select set_config('transaction_read_only', 'off', true)"]
      for (const sql of tries) await database.query({ sql }, reader).catch(() => undefined)
      await expect(cells('select * from arrowhead.secrets')).rejects.toEqual(statement('42501'))
    })

    it('lets a searcher read and a writer write, and neither more', async () => {
      expect(await cells('select words from arrowhead.secrets', searcher)).toEqual([['hidden']])
      await expect(cells("insert into arrowhead.secrets values (9, 'x')", searcher)).rejects.toMatchObject({ name: 'StatementError' })
      expect(await database.query({ sql: 'insert into arrowhead.secrets values ($1, $2)', values: [2, 'more'] }, writer)).toMatchObject({ changed: 1 })
      await expect(cells('create table arrowhead.mine (id int)', writer)).rejects.toEqual(statement('42501'))
    })

    it('keeps all of a transaction or nothing', async () => {
      const both = [{ sql: "insert into arrowhead.secrets values (10, 'a')" }, { sql: "insert into arrowhead.secrets values (10, 'b')" }]
      await expect(database.transaction(both, writer)).rejects.toEqual(statement('23505'))
      expect(await cells('select count(*) from arrowhead.secrets where id = 10', searcher)).toEqual([['0']])
    })

    it('stops a statement at its time limit and goes on', async () => {
      await expect(cells('select count(*) from generate_series(1, 1000000000)', { ...reader, timeoutMs: 200 })).rejects.toEqual(refused('database.timeout'))
      expect(await cells('select 1')).toEqual([['1']])
    })

    it('stops a statement when the caller leaves, with the reason of the caller', async () => {
      const leaving = new AbortController()
      const running = cells('select count(*) from generate_series(1, 1000000000)', { ...reader, timeoutMs: 60_000, signal: leaving.signal })
      setTimeout(() => leaving.abort(new Error('left')), 100)
      await expect(running).rejects.toThrow('left')
      expect(await cells('select 1')).toEqual([['1']])
    })

    it('serves many at once', async () => {
      const all = await Promise.all(Array.from({ length: 30 }, (_, index) => cells('select $1::int', reader, [index])))
      expect(all.map(([row]) => Number(row?.[0]))).toEqual(Array.from({ length: 30 }, (_, index) => index))
    })

    it('shows what one wrote to another that has it open', async () => {
      const other = world.open()
      try {
        await database.query({ sql: "insert into arrowhead.secrets values (50, 'shared')" }, writer)
        expect((await other.query({ sql: 'select words from arrowhead.secrets where id = 50' }, searcher)).rows).toEqual([['shared']])
      } finally {
        await other.close()
      }
    })

    it('says nothing of statements and values in its errors but what the database says', async () => {
      const error = await database.query({ sql: 'select $1::int / 0', values: [424242] }, reader).catch((thrown: unknown) => thrown)
      expect(JSON.stringify(error) + Object.keys(error as object).join()).not.toMatch(/424242|query|params/)
    })
  })
}
