import { expect, it } from 'vitest'
import type { Rows } from '../../kernel/ports/database.ts'
import { applyMigrations } from './migrations.ts'

const STEPS = [{ name: 'one', sql: 'create table one ()' }, { name: 'two', sql: 'create table two ()' }]

/** A database whose records are this set; `before` is what happens just before a script. */
function databaseOf(records: Set<string>, before: (script: string) => void) {
  return async (sql: string, script: boolean, values: readonly string[] = []): Promise<Rows> => {
    const [, name] = /values \('(\w+)'\)/.exec(sql) ?? []
    if (script) before(sql)
    if (name !== undefined && records.has(name)) throw new Error('duplicate key value')
    if (name !== undefined) records.add(name)
    const found = [...records].filter((one) => values.length === 0 || values.includes(one))
    return { columns: [], rows: script ? [] : found.map((one) => [one]), truncated: false, changed: 0 }
  }
}

it('a step that another process applies meanwhile is applied, and the next ones are as well', async () => {
  const records = new Set<string>()
  const run = databaseOf(records, (script) => void (script.includes("('one')") && records.add('one')))
  expect(await applyMigrations(STEPS, run)).toEqual(['two'])
  expect(await applyMigrations(STEPS, run)).toEqual([])
})

it('a step that fails for a reason of its own fails, and nothing after it is applied', async () => {
  const records = new Set<string>()
  const run = databaseOf(records, (script) => {
    if (script.includes("('one')")) throw new Error('no room')
  })
  await expect(applyMigrations(STEPS, run)).rejects.toThrow('no room')
  expect(records).toEqual(new Set())
})
