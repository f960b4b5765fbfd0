import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createArrowhead, LoadError, openTables } from '../../index.ts'

test('a program loads tables beside the Arrowhead that answers queries over them', async () => {
  const place = mkdtempSync(join(tmpdir(), 'arrowhead-open-tables-'))
  const file = join(place, 'orders.csv')
  writeFileSync(file, 'id,total\n1,2.50\n2,3\n')
  const arrowhead = createArrowhead({}, { dataDir: place, replace: { trail: null } })
  const tables = openTables({}, { dataDir: place })
  try {
    const ask = async () => String((await arrowhead.asLocal().call('sql_query', { query: 'SELECT id, total FROM orders ORDER BY id' }))['content'])
    await expect(ask()).rejects.toMatchObject({ code: 'sql.failed' })
    const seen: number[] = []
    expect(await tables.load(file, { types: { total: 'numeric(10,2)' }, onProgress: (rows) => seen.push(rows) })).toMatchObject({ table: 'orders', rows: 2 })
    expect(seen.at(-1)).toBe(2)
    expect(await ask()).toContain('[[1,"2.50"],\n[2,"3.00"]]')
    await expect(tables.load(file)).rejects.toBeInstanceOf(LoadError)
    await expect(tables.load(file, { table: 'x', types: { total: 'drop table' } })).rejects.toBeInstanceOf(LoadError)
    expect((await tables.list()).map(({ name, rows }) => [name, rows])).toEqual([['orders', 2]])
    await tables.drop('orders')
    expect(await tables.list()).toEqual([])
    expect(() => openTables({ sqlDsn: 'sqlite:///x.db' })).toThrow(LoadError)
  } finally {
    await tables.close()
    await arrowhead.close()
    rmSync(place, { recursive: true, force: true })
  }
})

test('a file that changes between its two readings is refused, and so is an option that says nothing', async () => {
  const place = mkdtempSync(join(tmpdir(), 'arrowhead-open-tables-'))
  const [file, script, lines] = [join(place, 'orders.csv'), join(place, 'orders.sql'), join(place, 'orders.ndjson')]
  writeFileSync(file, 'id\n1\n')
  writeFileSync(script, 'create table scripted (a int)')
  writeFileSync(lines, '{"a":1}\n')
  const tables = openTables({}, { dataDir: place })
  try {
    // Of the same size, so that only its time tells.
    const change = (_rows: number, total?: number) => (total === undefined ? writeFileSync(file, 'id\n2\n') : undefined)
    await expect(tables.load(file, { onProgress: change })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(/changed while it was read/) })
    for (const option of [{ table: 'x' }, { mode: 'create' }, { types: { a: 'text' } }, { delimiter: ';' }] as const) {
      await expect(tables.load(script, option)).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(/^a script/) })
    }
    await expect(tables.load(lines, { delimiter: ';' })).rejects.toMatchObject({ name: 'LoadError', message: expect.stringMatching(/^a delimiter/) })
    expect(await tables.list()).toEqual([])
    expect(await tables.load(file)).toMatchObject({ rows: 1 })
  } finally {
    await tables.close()
    rmSync(place, { recursive: true, force: true })
  }
})
