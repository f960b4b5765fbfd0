/** The operator's own tables from the command line: loaded, asked by `sql_query`, listed and dropped. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from './main.ts'

let place: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'arrowhead-load-'))
  mkdirSync(join(place, 'sandbox'))
  writeFileSync(join(place, 'Sales 2024.csv'), 'Id,Zip,Price\n1,01234,2.50\n2,99999,3\n')
  writeFileSync(join(place, 'semi.csv'), 'a;b\n1;2\n')
  writeFileSync(join(place, 'bad.csv'), 'a,b\n1,2\n3\n')
  writeFileSync(join(place, 'latin.csv'), Buffer.concat([Buffer.from('a\n1\n'), Buffer.from([0xe9, 0x0a])]))
  writeFileSync(join(place, 'more.jsonl'), '{"id": 9007199254740993}\n')
  writeFileSync(join(place, 'views.sql'), 'create view cheap as\n select id from sales_2024 where price < 3;\n')
  writeFileSync(join(place, 'wrong.sql'), 'create table x (a int);\nselect nothing from x;\n')
  writeFileSync(join(place, 'table.xlsx'), '')
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

async function run(args: readonly string[], { env = {}, isTTY = false, stop = new AbortController().signal }: { env?: Readonly<Record<string, string>>; isTTY?: boolean; stop?: AbortSignal } = {}) {
  const text = { out: '', err: '' }
  const stream = (name: 'out' | 'err'): PassThrough => Object.assign(new PassThrough().setEncoding('utf8').on('data', (chunk: string) => void (text[name] += chunk)), { isTTY })
  const code = await main(args, {
    stdin: new PassThrough().end(), stdout: stream('out'), stderr: stream('err'), env: { ARROWHEAD_DATA_DIR: join(place, 'data'), HOME: place, ...env }, cwd: place, home: place,
    platform: process.platform, stop, parent: () => 1,
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, ...text }
}

test('a file becomes a table that sql_query reads, and a script adds a view of it', async () => {
  expect(await run(['data', 'load', 'Sales 2024.csv', 'views.sql', 'more.jsonl'])).toEqual({
    code: 0, err: '', out: 'Sales 2024.csv: 2 rows in sales_2024 (id bigint, zip text, price numeric)\nviews.sql: 1 statements ran\nmore.jsonl: 1 rows in more (id bigint)\n',
  })
  const { code, out } = await run(['tools', 'call', 'sql_query', '{"query":"SELECT zip, price FROM sales_2024 JOIN cheap USING (id)"}'])
  expect([code, out]).toEqual([0, expect.stringContaining('[\\"01234\\",\\"2.50\\"]')])
  expect(JSON.parse((await run(['data', 'tables', '--json'])).out)).toMatchObject({ tables: [{ name: 'cheap', is: 'view', rows: null }, { name: 'more', rows: 1 }, { name: 'sales_2024', rows: 2 }] })
  expect((await run(['data', 'tables'])).out).toContain('cheap (view): rows not counted, 0 bytes (id bigint)\n')
  expect(await run(['data', 'drop', 'sales_2024'])).toMatchObject({ code: 1, err: expect.stringContaining('depend') })
  expect(await run(['data', 'drop', 'sales_2024', 'cheap', 'more', '--json'])).toEqual({ code: 0, err: '', out: '{"dropped":["sales_2024","cheap","more"]}\n' })
  expect((await run(['data', 'tables'])).out).toMatch(/^there are no tables yet/)
}, 180_000)

test('what is wrong is said with its file and line, and nothing is loaded', async () => {
  const said = async (...args: readonly string[]) => {
    const { code, out, err } = await run(['data', 'load', ...args])
    return [code, out, err.replace('arrowhead: ', '').trim()]
  }
  expect(await said('bad.csv')).toEqual([1, '', 'bad.csv:3: 1 fields where the header names 2 columns'])
  expect(await said('semi.csv')).toEqual([1, '', expect.stringMatching(/^semi\.csv:1: .*--delimiter$/)])
  expect(await said('latin.csv')).toEqual([1, '', expect.stringMatching(/^latin\.csv:3: .*UTF-8$/)])
  expect(await said('wrong.sql')).toEqual([1, '', expect.stringMatching(/^wrong\.sql:2: column "nothing" does not exist$/)])
  expect(await said('table.xlsx')).toEqual([1, '', expect.stringMatching(/^table\.xlsx: .*\.csv/)])
  expect(await said('none.csv')).toEqual([1, '', 'none.csv: cannot be read (ENOENT)'])
  expect(await said('semi.csv', 'bad.csv', '--table', 'x')).toEqual([2, '', expect.stringContaining('--table')])
  expect(await said('semi.csv', '--replace', '--append')).toEqual([2, '', expect.stringContaining('added')])
  expect(await said('semi.csv', '--delimiter', ';', '--type', 'b')).toEqual([1, '', expect.stringContaining('--type takes')])
  expect(await run(['data', 'load', 'semi.csv', 'bad.csv', '--delimiter', ';', '--type', 'b=text', '--json'])).toMatchObject({
    code: 1, out: `${JSON.stringify({ loaded: [{ file: 'semi.csv', table: 'semi', rows: 1, columns: [{ name: 'a', type: 'bigint' }, { name: 'b', type: 'text' }] }] })}\n`,
  })
  expect((await run(['data', 'tables'])).out).toMatch(/^semi: 1 rows, \d+ bytes \(a bigint, b text\)\n$/)
}, 180_000)

test('an option that says nothing about a file is refused before any file is loaded', async () => {
  for (const [file, ...option] of [
    ['views.sql', '--table', 'x'], ['views.sql', '--replace'], ['views.sql', '--append'], ['views.sql', '--type', 'a=text'], ['views.sql', '--delimiter', ';'],
    ['more.jsonl', '--delimiter', ';'], ['semi.csv', '--type', 'a=text primary key'], ['semi.csv', '--type', 'a=int', '--type', 'a=text'],
  ] as const) {
    const files = option[0] === '--table' ? [file] : ['Sales 2024.csv', file]
    const { code, out, err } = await run(['data', 'load', ...files, ...option])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^arrowhead: (?:Sales 2024\.csv|views\.sql|more\.jsonl|semi\.csv): (?:a script says itself|a delimiter divides|--type)/)
  }
  expect((await run(['data', 'tables'])).out).not.toContain('sales_2024')
}, 180_000)

test('what would act on a terminal is taken out of names and of the words of the database', async () => {
  const name = 'a\u001b[2J\u202e.csv'
  writeFileSync(join(place, name), 'a\n"x\u009b1m"\n')
  writeFileSync(join(place, 'sign.sql'), 'create table "t\u001b[31m" (a int);')
  writeFileSync(join(place, 'said.sql'), "select 'x\u009b2J'::int")
  expect(await run(['data', 'load', name, '--type', 'a=int'], { isTTY: true })).toMatchObject({ code: 1, err: expect.stringContaining('arrowhead: a [2J .csv:2: invalid input syntax for type integer: "x 1m"\n') })
  expect((await run(['data', 'load', name, '--table', 'signs'])).out).toBe('a [2J .csv: 1 rows in signs (a text)\n')
  expect((await run(['data', 'load', 'said.sql'])).err).toContain('"x 2J"')
  await run(['data', 'load', 'sign.sql'])
  expect((await run(['data', 'tables'])).out).toContain('t [31m: 0 rows')
  expect((await run(['data', 'tables', '--json'])).out).toContain('"t\\u001b[31m"')
  const json = (await run(['data', 'load', name, '--table', 'signs', '--replace', '--json'])).out
  expect([json.includes('\u202e'), JSON.parse(json)]).toMatchObject([false, { loaded: [{ file: name }] }])
  expect((await run(['data', 'drop', 't\u001b[31m', 'signs'])).out).toBe('dropped: t [31m, signs\n')
}, 180_000)

test('whoever stops a command is told what became of it', async () => {
  const stop = AbortSignal.abort(new Error('stopped'))
  expect((await run(['data', 'load', 'more.jsonl', '--table', 'stopped'], { stop })).err).toBe('arrowhead: stopped; nothing of the last file is in the database\n')
  expect((await run(['data', 'tables'], { stop })).err).toBe('arrowhead: stopped\n')
  expect((await run(['data', 'drop', 'semi'], { stop })).err).toBe('arrowhead: stopped; all of it is dropped or nothing, and arrowhead data tables tells which\n')
  expect((await run(['data', 'tables'])).out).not.toContain('stopped')
}, 180_000)

test('a terminal is told how far it is, and a script is not', async () => {
  expect((await run(['data', 'load', 'more.jsonl', '--table', 'seen'], { isTTY: true })).err).toContain('more.jsonl 1')
  expect((await run(['data', 'load', 'more.jsonl', '--table', 'unseen'])).err).toBe('')
}, 180_000)

test.each([{ ARROWHEAD_SQL_DSN: 'sqlite:///own.db' }, { ARROWHEAD_VECTOR_WRITE_DSN: 'postgresql://x@127.0.0.1/x' }])('whoever has a database of his own is told so: %j', async (env) => {
  for (const args of [['load', 'more.jsonl'], ['tables'], ['drop', 'x']]) {
    expect(await run(['data', ...args], { env })).toMatchObject({ code: 1, out: '', err: expect.stringContaining('tools of that database') })
  }
})
