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
