/** Files become tables over a real embedded database, as a reader of `sql_query` sees them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../kernel/ports/database.ts'
import { createEmbeddedDatabase } from '../database/index.ts'
import { testTemplate } from '../database/template.fixture.ts'
import { createCsvReader } from './csv-reader.ts'
import { loadTable } from './load-table.ts'
import type { LoadOptions } from './load-table.ts'
import { plainName, tableName } from './names.ts'
import { dropTables, listTables, runScript } from './tables.ts'

const signal = new AbortController().signal
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
  loadTable(database, { reader: () => createCsvReader(','), async *text() { yield text } }, { table: 't', mode: 'create', types: new Map(), signal, progress: () => {}, ...options })
const seen = async (sql: string) => (await database.query({ sql }, { role: 'reader' })).rows
const names = async () => (await listTables(database, signal)).map(({ name }) => name)
const incoming = async () => (await database.query({ sql: "select count(*) from pg_tables where schemaname = 'arrowhead_incoming'" }, { role: 'owner' })).rows

describe('a loaded file', () => {
  it('is a table that a reader sees, with the types of its values', async () => {
    const { rows, columns } = await load('Id,Unit price,day,note\n1,2.50,2024-01-31,\n2,3,2024-02-29,""\n', { table: 'prices' })
    expect({ rows, columns: columns.map(({ name, type }) => `${name} ${type}`) }).toEqual({ rows: 2, columns: ['id bigint', 'unit_price numeric', 'day date', 'note text'] })
    expect(await seen('select * from prices order by id')).toEqual([['1', '2.50', '2024-01-31', null], ['2', '3', '2024-02-29', '']])
  })

  it.each([
    ['a value that does not fit', 'a,b\n1,2\n3,x\n', new Map([['b', 'int']]), /invalid input syntax/, 3],
    ['a value that is too long', 'a,b\n1,abcd\n', new Map([['b', 'varchar(3)']]), /too long/, 2],
    ['a type that is none', 'a\n1\n', new Map([['a', 'nonsense']]), /does not exist/, undefined],
    ['a type for a column that is not there', 'a\n1\n', new Map([['z', 'int']]), /no column z/, undefined],
    ['a row of another width', 'a,b\n1,2\n3\n', new Map<string, string>(), /1 fields/, 3],
    ['two columns of one name', 'Unit,unit \n1,2\n', new Map<string, string>(), /both named unit/, 1],
    ['a column that every table has', 'ctid\n1\n', new Map<string, string>(), /ctid/, 1],
  ])('leaves nothing behind with %s', async (_what, text, types, message, line) => {
    await expect(load(text, { table: 'broken', types })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(message), line })
    expect(await names()).not.toContain('broken')
    expect(await incoming()).toEqual([['0']])
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
    expect(await incoming()).toEqual([['0']])
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
    { name: 'base', is: 'table', rows: 2, columns: [{ name: 'a', type: 'integer' }] }, { name: 'over_base', is: 'view', rows: 2 },
  ])
  await expect(dropTables(database, ['base'], signal)).rejects.toThrow(/depend/)
  await expect(dropTables(database, ['base', 'nothing'], signal)).rejects.toThrow(/no table nothing/)
  await dropTables(database, ['base', 'over_base'], signal)
  expect(await names()).not.toContain('base')
})

it('names are such that a query needs no quotes', () => {
  expect(['Unit price (€)', '2024 Sales', 'a__b', ' Größe ', '___'].map(plainName)).toEqual(['unit_price', '_2024_sales', 'a_b', 'größe', ''])
  expect(() => tableName('pg_things')).toThrow(/pg_/)
  expect(() => tableName('--')).toThrow(/no name/)
  expect(() => tableName('x'.repeat(64))).toThrow(/63/)
})
