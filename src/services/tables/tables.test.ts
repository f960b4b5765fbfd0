/** Files become tables over a real embedded database, as a reader of `sql_query` sees them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { createEmbeddedDatabase } from '../database/index.ts'
import { testTemplate } from '../database/template.fixture.ts'
import { createCsvReader } from './csv-reader.ts'
import { dropLeftovers } from './incoming.ts'
import { loadTable } from './load-table.ts'
import type { LoadOptions } from './load-table.ts'
import { plainName, tableName } from './names.ts'
import { dropTables, listTables, runScript } from './tables.ts'

const signal = new AbortController().signal
const PLAIN: LoadOptions = { table: 't', mode: 'create', types: new Map(), signal, progress: () => {} }
let folder: string
let database: Database
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-tables-'))
  database = createEmbeddedDatabase({ folder, template: await testTemplate() })
}, 120_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = (text: string, options: Partial<LoadOptions> = {}) =>
  loadTable(database, textIn(text), { ...PLAIN, ...options })
const seen = async (sql: string) => (await database.query({ sql }, { role: 'reader' })).rows
const textIn = (text: string) => ({ reader: () => createCsvReader(','), async *text() { yield text } })
const names = async () => (await listTables(database, signal)).map(({ name }) => name)
const incoming = async () => (await database.query({ sql: "select count(*) from pg_tables where schemaname = 'arrowhead_incoming' and tablename <> 'held' union all select count(*) from arrowhead_incoming.held" }, { role: 'owner' })).rows

describe('a loaded file', () => {
  it('is a table that a reader sees, with the types of its values', async () => {
    const { rows, columns } = await load('Id,Unit price,day,note\n1,2.50,2024-01-31,\n2,3,2024-02-29,""\n', { table: 'prices' })
    expect({ rows, columns: columns.map(({ name, type }) => `${name} ${type}`) }).toEqual({ rows: 2, columns: ['id bigint', 'unit_price numeric', 'day date', 'note text'] })
    expect(await seen('select * from prices order by id')).toEqual([['1', '2.50', '2024-01-31', null], ['2', '3', '2024-02-29', '']])
  })

  it.each([
    ['a value that does not fit', 'a,b\n1,2\n3,x\n', new Map([['b', 'int']]), /invalid input syntax/, 3],
    ['a value that is too long', 'a,b\n1,abcd\n', new Map([['b', 'varchar(3)']]), /too long/, 2],
    ['a type that is none', 'a\n1\n', new Map([['a', 'nonsense']]), /type given for a: .*does not exist/, undefined],
    ['a type for a column that is not there', 'a\n1\n', new Map([['z', 'int']]), /no column z/, undefined],
    ['a row of another width', 'a,b\n1,2\n3\n', new Map<string, string>(), /1 fields/, 3],
    ['two columns of one name', 'Unit,unit \n1,2\n', new Map<string, string>(), /both named unit/, 1],
    ['a column that every table has', 'ctid\n1\n', new Map<string, string>(), /ctid/, 1],
  ])('leaves nothing behind with %s', async (_what, text, types, message, line) => {
    await expect(load(text, { table: 'broken', types })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(message), line })
    expect(await names()).not.toContain('broken')
    expect(await incoming()).toEqual([['0'], ['0']])
  })

  it.each(['char(3)', 'char', 'bpchar(3)', 'nchar(2)', 'bit(3)', 'bit', 'varbit(2)', 'varchar(3)', 'char(3)[]', 'bit(3)[]'])('is not cut to fit %s, whether the type is given or the table has it', async (type) => {
    const value = type.includes('bit') ? '1011' : 'abcd'
    const text = `a\n${type.endsWith(']') ? `{${value}}` : value}\n`
    const refused = { name: 'LoadError', message: expect.stringMatching(/too long|does not match/) }
    await expect(load(text, { table: 'cut', types: new Map([['a', type]]) })).rejects.toMatchObject({ ...refused, line: 2 })
    await runScript(database, `create table narrow (a ${type})`, signal)
    await expect(load(text, { table: 'narrow', mode: 'append' })).rejects.toMatchObject({ ...refused, line: 2 })
    expect(await seen('select * from narrow')).toEqual([])
    await dropTables(database, ['narrow'], signal)
  })

  it.each([
    ['a key twice in the file', 'id,kind\n10,a\n11,"of\ntwo lines"\n10,c\n', /duplicate key value violates unique constraint "kept_pkey"/, 5],
    ['a key that the table has', 'id,kind\n12,a\n1,b\n', /duplicate key/, 3],
    ['a value that is forbidden', 'id,kind\n13,a\n14,secret\n', /violates check constraint "kept_kind_check"/, 3],
    ['a value that is missing', 'kind,id\na,15\nb,\n', /null value in column "id"/, 3],
    ['a row that a trigger refuses', 'id,kind\n16,a\n666,b\n', /^not that one$/, 3],
    ['rows of which no single one is wrong', 'id,kind\n17,late\n18,b\n', /duplicate key value violates unique constraint "kept_late"/, undefined],
  ])('is added whole or not at all: %s is told with its line', async (_what, text, message, line) => {
    await runScript(database, `create table kept (id int primary key, kind text check (kind <> 'secret'), late text default 'x' constraint kept_late unique deferrable initially deferred);
create function refuse() returns trigger language plpgsql as $f$ begin if new.id = 666 then raise exception 'not that one'; end if; if new.kind <> 'late' and new.id < 17 then new.late := new.id; end if; return new; end $f$;
create trigger refuse before insert on kept for each row execute function refuse();
insert into kept (id, kind) values (1, 'first'), (2, 'second');`, signal)
    const error = await load(text, { table: 'kept', mode: 'append' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'LoadError', message: expect.stringMatching(message), line })
    expect(String(error)).not.toMatch(/secret|of\ntwo/)
    expect(await seen('select id from kept order by id')).toEqual([['1'], ['2']])
    expect(await incoming()).toEqual([['0'], ['0']])
    await runScript(database, 'drop table kept; drop function refuse();', signal)
  })

  it.each([
    ['an index cannot convert', 'a,b\n5,b\nhunter2,b\n', /^a value is not written as its type is \(SQLSTATE 22P02\)$/],
    ['a generated column cannot divide', 'a,b\n5,b\n3,b\n', /^a number is divided by zero \(SQLSTATE 22012\)$/],
    ['a generated column has no room for', 'a,b\n5,b\n2147483647,b\n', /^a number is out of the range of its type \(SQLSTATE 22003\)$/],
    ['a trigger cannot read', 'a,b\n5,b\n6,{hunter2\n', /^a value is not written as its type is \(SQLSTATE 22P02\)$/],
    ['a trigger names', 'a,b\n5,b\n6,no hunter2\n', /^no hunter2$/],
  ])('is refused by its line, and a value that %s is repeated by the trigger alone', async (_what, text, message) => {
    await runScript(database, `create table kept (a text, b text, c int generated always as (2147483647 / (length(a) - 1 + abs(ascii(a) - 51)) + case when length(a) = 10 then 2147483647 else 0 end) stored);
create unique index on kept ((a::int));
create function refuse() returns trigger language plpgsql as $f$ begin if new.b like '{%' then perform new.b::json; end if; if new.b like 'no %' then raise exception '%', new.b; end if; return new; end $f$;
create trigger refuse before insert on kept for each row execute function refuse();`, signal)
    await expect(load(text, { table: 'kept', mode: 'append' })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(message), line: 3 })
    expect(await seen('select * from kept')).toEqual([])
    await runScript(database, 'drop table kept; drop function refuse();', signal)
  })

  it('fills columns of the same types with what fits, domains too', async () => {
    await runScript(database, 'create domain code as char(3); create domain short as code; create table narrow (a char(3), b bit(3), c short, d numeric(4,1), e char(2)[]);', signal)
    await load('a,b,c,d,e\nabc,101,xyz,123.4,"{ab,cd}"\n', { table: 'narrow', mode: 'append' })
    expect(await seen('select * from narrow')).toEqual([['abc', '101', 'xyz', '123.4', '{ab,cd}']])
    await expect(load('c\nwxyz\n', { table: 'narrow', mode: 'append' })).rejects.toMatchObject({ message: expect.stringMatching(/too long/), line: 2 })
    await runScript(database, 'create table cutting (a "char", b name)', signal)
    await expect(load('a\nxy\n', { table: 'cutting', mode: 'append' })).rejects.toThrow(/which cuts/)
    await expect(load('a\nx\n', { table: 'narrow', mode: 'append', types: new Map([['a', 'text']]) })).rejects.toThrow(/--type says nothing/)
    await dropTables(database, ['narrow', 'cutting'], signal)
  })

  it('has its types looked at before it is read', async () => {
    const file = { reader: () => createCsvReader(','), text: () => { throw new Error('read') } }
    await expect(loadTable(database, file, { ...PLAIN, table: 'unread', types: new Map([['a', 'varchar(99999999)']]) })).rejects.toThrow(/type given for a/)
  })

  it.each([['fewer rows', 'a\n1\n'], ['another header', 'b\n1\n2\n'], ['another column', 'a,b\n1,2\n3,4\n']])('is refused where its second reading has %s', async (_what, second) => {
    let text = 'a\n1\n2\n'
    const file = { reader: () => createCsvReader(','), async *text() { yield text; text = second } }
    await expect(loadTable(database, file, { ...PLAIN, table: 'changed' })).rejects.toMatchObject({ name: 'LoadError' })
    expect(await names()).not.toContain('changed')
  })

  it('leaves it open what became of it where its owner leaves in the last transaction', async () => {
    const leaving = new AbortController()
    const late: Database = { ...database, async transaction(statements, session) {
      const answer = await database.transaction(statements, { ...session, signal })
      if (!statements.some(({ sql }) => sql.includes('set schema'))) return answer
      leaving.abort(new Error('left'))
      throw leaving.signal.reason
    } }
    await expect(loadTable(late, textIn('a\n1\n'), { ...PLAIN, table: 'late', signal: leaving.signal })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(/may or may not/) })
    expect(await seen('select * from late')).toEqual([['1']])
    await dropTables(database, ['late'], signal)
  })

  it('takes away what a process left a day ago by the clock of the database, and nothing that is held', async () => {
    const owner = { role: 'owner' } as const
    const age = (name: string) => database.query({ sql: `update arrowhead_incoming.held set filled_at = now() - interval '25 hours' where name like $1`, values: [name] }, owner)
    const left = async () => (await database.query({ sql: "select tablename from pg_tables where schemaname = 'arrowhead_incoming' and tablename like '%left'" }, owner)).rows.flat().sort()
    await load('a\n1\n', { table: 'first' })
    for (const name of ['load_1_left', 'young_left', 'old_left']) await database.query({ sql: `create table arrowhead_incoming.${name} (a int)` }, owner)
    await dropLeftovers(database, owner)
    expect(await left()).toEqual(['load_1_left', 'old_left', 'young_left'])
    await age('old_left')
    // A load of this process in whose middle the clock jumps by a day, and another begins.
    let jump: Promise<unknown> | undefined
    const jumping: Database = { ...database, async transaction(statements, session) {
      const answer = await database.transaction(statements, session)
      if (statements.some(({ sql }) => sql.startsWith('create table'))) await (jump ??= age('load_%').then(() => dropLeftovers(database, owner)))
      return answer
    } }
    await loadTable(jumping, textIn('a\n1\n2\n'), { ...PLAIN, table: 'second' })
    expect(await seen('select count(*) from second')).toEqual([['2']])
    expect(await left()).toEqual(['young_left'])
    await database.transaction([{ sql: 'drop table arrowhead_incoming.young_left' }, { sql: 'delete from arrowhead_incoming.held' }], owner)
    await dropTables(database, ['first', 'second'], signal)
  })

  it('says at each batch that it is held', async () => {
    const ages: unknown[] = []
    const watching: Database = { ...database, async transaction(statements, session) {
      if (statements.some(({ sql }) => sql.startsWith('insert into arrowhead_incoming.load'))) {
        await database.query({ sql: "update arrowhead_incoming.held set filled_at = now() - interval '25 hours'" }, { role: 'owner' })
        const answer = await database.transaction(statements, session)
        ages.push((await database.query({ sql: "select filled_at > now() - interval '1 hour' from arrowhead_incoming.held" }, { role: 'owner' })).rows)
        return answer
      }
      return database.transaction(statements, session)
    } }
    await loadTable(watching, textIn('a\n1\n'), { ...PLAIN, table: 'held' })
    expect(ages).toEqual([[['t']]])
    await dropTables(database, ['held'], signal)
  })

  it('finds the one row of many that does not fit', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => (at === 3_210 ? 'x' : String(at)))
    await expect(load(`a\n${rows.join('\n')}\n`, { table: 'broken', types: new Map([['a', 'int']]) })).rejects.toMatchObject({ line: 3_212 })
  })

  it('takes the place of a table, or joins it, only where that was asked for', async () => {
    await load('a,b\n1,x\n')
    await expect(load('a\n2\n')).rejects.toThrow(/exists/)
    await load('b\ny\n', { mode: 'append' })
    expect(await seen('select a, b from t order by b')).toEqual([['1', 'x'], [null, 'y']])
    await expect(load('c\n1\n', { mode: 'append' })).rejects.toThrow(/no column c/)
    await expect(load('a\nz\n', { mode: 'append' })).rejects.toMatchObject({ line: 2 })
    await load('c\n9\n', { mode: 'replace' })
    expect(await seen('select * from t')).toEqual([['9']])
  })

  it('is gone where its owner leaves in the middle', async () => {
    const leaving = new AbortController()
    const text = `a\n${'1\n'.repeat(20_000)}`
    const loading = load(text, { table: 'left', signal: leaving.signal, progress: (_rows, total) => void (total !== undefined && leaving.abort(new Error('left'))) })
    await expect(loading).rejects.toThrow('left')
    expect(await names()).not.toContain('left')
    expect(await incoming()).toEqual([['0'], ['0']])
  })
})

describe('a script', () => {
  it('runs as the owner of the tables, whole or not at all', async () => {
    expect(await runScript(database, 'create table people (id serial primary key, name text);\ninsert into people (name) values (\'a;b\');\ncreate view a_few as select name from people;', signal)).toBe(3)
    expect(await seen('select * from a_few')).toEqual([['a;b']])
    await expect(runScript(database, 'create table half (a int);\n\ninsert into half\n values (\'x\');', signal)).rejects.toMatchObject({ line: 3, message: expect.stringContaining('invalid input') })
    expect(await names()).not.toContain('half')
  })

  it('leaves its settings to nobody', async () => {
    const settings = "select current_setting('standard_conforming_strings'), current_setting('search_path'), current_setting('bytea_output'), current_user"
    const before = (await database.query({ sql: settings }, { role: 'owner' })).rows
    await runScript(database, "set standard_conforming_strings = off; set bytea_output = 'escape'; select set_config('search_path', '', false); set role arrowhead_reader;", signal)
    expect((await database.query({ sql: settings }, { role: 'owner' })).rows).toEqual(before)
  })
})

it('tables are listed with what is in them, and dropped together or not at all', async () => {
  await runScript(database, 'create table base (a int); insert into base values (1), (2); create view over_base as select a from base;', signal)
  expect((await listTables(database, signal)).filter(({ name }) => name.includes('base'))).toMatchObject([
    { name: 'base', is: 'table', rows: 2, columns: [{ name: 'a', type: 'integer' }] }, { name: 'over_base', is: 'view', rows: null },
  ])
  await expect(dropTables(database, ['base'], signal)).rejects.toThrow(/depend/)
  await expect(dropTables(database, ['base', 'nothing'], signal)).rejects.toThrow(/no table nothing/)
  await dropTables(database, ['base', 'over_base'], signal)
  expect(await names()).not.toContain('base')
})

it('what cannot be counted is listed all the same', async () => {
  await runScript(database, `create materialized view unfilled as select 1 as a with no data; create view failing as select 1/0 as a; create view endless as select count(*) from generate_series(1, 1000000000000);
create foreign data wrapper no_handler; create server far foreign data wrapper no_handler; create foreign table elsewhere (a int) server far;`, signal)
  const is = ['elsewhere', 'endless', 'failing', 'unfilled']
  expect((await listTables(database, signal)).filter(({ name }) => is.includes(name)).map(({ name, is: kind, rows }) => [name, kind, rows])).toEqual([
    ['elsewhere', 'foreign table', null], ['endless', 'view', null], ['failing', 'view', null], ['unfilled', 'view', null],
  ])
  await dropTables(database, is, signal)
  const refusing: Database = { ...database, transaction: () => Promise.reject(new StatementError('42501', 'permission denied')) }
  await expect(listTables(refusing, signal)).rejects.toMatchObject({ name: 'LoadError', message: 'permission denied' })
})

it('views are dropped whatever reads what, in whatever order they are named', async () => {
  const all = ['z_table', 'y_view', 'x_stored', 'w_view', 'a_view', 'b_table']
  for (const order of [all, all.toReversed()]) {
    await runScript(database, `create table b_table (a int primary key); create table z_table (a int references b_table); create view y_view as select a from z_table; create materialized view x_stored as select a from y_view;
create view w_view as select a from x_stored join y_view using (a); create view a_view as select a from w_view union select a from b_table;`, signal)
    await expect(dropTables(database, ['y_view', 'x_stored', 'w_view'], signal)).rejects.toThrow(/depend/)
    await dropTables(database, [...order, 'y_view'], signal)
    for (const name of all) expect(await names()).not.toContain(name)
  }
})

it('a script whose owner leaves while it runs may or may not have taken place', async () => {
  const leaving = new AbortController()
  const late: Database = { ...database, transaction: () => {
    leaving.abort(new Error('left'))
    return Promise.reject(leaving.signal.reason)
  } }
  await expect(runScript(late, 'select 1', leaving.signal)).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(/may or may not/) })
  await expect(runScript(late, 'select 1', leaving.signal)).rejects.toThrow('left')
})

it('names are such that a query needs no quotes', () => {
  expect(['Unit price (€)', '2024 Sales', 'a__b', ' Größe ', '___'].map(plainName)).toEqual(['unit_price', '_2024_sales', 'a_b', 'größe', ''])
  expect(() => tableName('pg_things')).toThrow(/pg_/)
  expect(() => tableName('--')).toThrow(/no name/)
  expect(() => tableName('x'.repeat(64))).toThrow(/63/)
})
