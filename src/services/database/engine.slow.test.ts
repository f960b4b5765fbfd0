import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEmbeddedDatabase } from './embedded-database.ts'
import { CONFIGURATION } from './engine.ts'
import { testTemplate } from './template.fixture.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-engine-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('holds no more memory than its bound, whatever one value takes, and goes on', { timeout: 120_000 }, async () => {
  const database = createEmbeddedDatabase({ folder, template: await testTemplate() })
  const ask = (sql: string) => database.query({ sql }, { role: 'owner', timeoutMs: 60_000 })
  await ask('select 1')
  const before = process.memoryUsage().rss
  await expect(ask("select length(repeat('a', 900000000))")).rejects.toMatchObject({ sqlState: '53200' })
  expect((await ask("select length(repeat('a', 1000000))")).rows).toEqual([['1000000']])
  expect(process.memoryUsage().rss - before).toBeLessThan(800_000_000)
  await database.close()
})

it('a directory of an earlier version takes the numbers of this one, and keeps what it holds and what else was set', { timeout: 120_000 }, async () => {
  const template = await testTemplate()
  const owner = { role: 'owner', timeoutMs: 60_000 } as const
  const first = createEmbeddedDatabase({ folder, template })
  await first.query({ sql: 'create table public.kept as select 7 as n' }, owner)
  await first.close()
  const file = join(folder, 'data', 'postgresql.conf')
  const old = readFileSync(file, 'utf8').split('\n').filter((line) => !CONFIGURATION.includes(line))
  writeFileSync(file, [...old, 'work_mem=5MB', 'shared_buffers=16MB', ''].join('\n'))
  const again = createEmbeddedDatabase({ folder, template })
  const shown = async (name: string) => (await again.query({ sql: `show ${name}` }, owner)).rows
  expect([await shown('shared_buffers'), await shown('work_mem')]).toEqual([[['32MB']], [['5MB']]])
  expect((await again.query({ sql: 'select n from public.kept' }, owner)).rows).toEqual([['7']])
  await again.close()
})
