import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmbeddedDatabase } from './embedded-database.ts'
import { makeWriters } from './processes.fixture.ts'
import type { Writer, Writers } from './processes.fixture.ts'
import { testTemplate } from './template.fixture.ts'

let writers: Writers
let template = ''
let folder = ''
let started: Writer[] = []
beforeAll(async () => {
  ;[writers, template] = await Promise.all([makeWriters(), testTemplate()])
}, 120_000)
afterAll(() => writers.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-owners-'))
})
afterEach(async () => {
  for (const writer of started) await writer.kill()
  started = []
  rmSync(folder, { recursive: true, force: true })
})
const start = (from: number): Writer => {
  const writer = writers.start(folder, template, from)
  started.push(writer)
  return writer
}
const stored = async (): Promise<ReadonlySet<number>> => {
  const database = createEmbeddedDatabase({ folder, template })
  const { rows } = await database.query({ sql: 'select n from arrowhead.rows' }, { role: 'owner', maxRows: 100_000, timeoutMs: 60_000 })
  await database.close()
  return new Set(rows.map(([n]) => Number(n)))
}
const missing = async (writers: readonly Writer[]): Promise<readonly number[]> => {
  const there = await stored()
  return writers.flatMap(({ acknowledged }) => acknowledged).filter((n) => !there.has(n))
}

describe('several processes on one directory', { timeout: 120_000 }, () => {
  it('lose no row that was acknowledged to any of them', async () => {
    const first = start(0)
    await first.until(1)
    const others = [start(1_000_000), start(2_000_000)]
    await Promise.all([first, ...others].map((writer) => writer.until(60)))
    for (const writer of [first, ...others]) await writer.stop()
    expect(await missing([first, ...others])).toEqual([])
    expect([first, ...others].map(({ said }) => said.filter((line) => line !== 'closed'))).toEqual([[], [], []])
  })

  it('go on when the owner is killed in the middle of a write, and nothing that it acknowledged is lost', async () => {
    const owner = start(0)
    await owner.until(20)
    const other = start(1_000_000)
    await other.until(20)
    await owner.kill()
    await other.until(other.acknowledged.length + 20)
    const third = start(2_000_000)
    await third.until(20)
    await other.kill()
    await third.until(40)
    await third.stop()
    expect(await missing([owner, other, third])).toEqual([])
    // A write that was under way when its owner died is reported, not repeated: it may have happened.
    expect([...other.said, ...third.said].filter((line) => !/^(closed|database\.unavailable \d+)$/.test(line))).toEqual([])
  })

  it('keep the socket and the folder to their user', async () => {
    const owner = start(0)
    await owner.until(1)
    expect(existsSync(join(folder, 'owner.sock'))).toBe(true)
    expect(statSync(join(folder, 'owner.sock')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    await owner.stop()
  })
})

it('a start that was killed half way is begun anew', { timeout: 120_000 }, async () => {
  const database = createEmbeddedDatabase({ folder, template })
  await database.query({ sql: 'select 1' }, { role: 'owner', timeoutMs: 60_000 })
  await database.close()
  rmSync(join(folder, 'complete'))
  rmSync(join(folder, 'data', 'global'), { recursive: true })
  const again = createEmbeddedDatabase({ folder, template })
  expect((await again.query({ sql: 'select 1' }, { role: 'owner' })).rows).toEqual([['1']])
  await again.close()
})

it('a directory that lost what says which version it has is not begun anew: what is in it stays', { timeout: 120_000 }, async () => {
  const owner = { role: 'owner', timeoutMs: 60_000 } as const
  const database = createEmbeddedDatabase({ folder, template })
  await database.query({ sql: 'create table kept as select 7 as number' }, owner)
  await database.close()
  const file = join(folder, 'data', 'PG_VERSION')
  const version = readFileSync(file)
  rmSync(file)
  const broken = createEmbeddedDatabase({ folder, template })
  await expect(broken.query({ sql: 'select 1' }, owner)).rejects.toMatchObject({ code: 'database.unavailable' })
  await broken.close()
  writeFileSync(file, version)
  const mended = createEmbeddedDatabase({ folder, template })
  expect((await mended.query({ sql: 'select number from kept' }, owner)).rows).toEqual([['7']])
  await mended.close()
})

it('a folder whose path is too long for a socket still has one', { timeout: 120_000 }, async () => {
  const deep = join(folder, 'x'.repeat(120))
  const [one, other] = [createEmbeddedDatabase({ folder: deep, template }), createEmbeddedDatabase({ folder: deep, template })]
  expect((await one.query({ sql: 'select 1' }, { role: 'owner' })).rows).toEqual([['1']])
  expect((await other.query({ sql: 'select 2' }, { role: 'owner' })).rows).toEqual([['2']])
  await one.close()
  expect((await other.query({ sql: 'select 3' }, { role: 'owner' })).rows).toEqual([['3']])
  await other.close()
})
