import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditTrail } from '../../kernel/audit.ts'
import { sampleRow, type TrailFolder, tamper, trailFolder } from './audit.fixture.ts'
import { followTrail, readTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'

let folder: TrailFolder
let trail: AuditTrail
beforeEach(() => {
  folder = trailFolder()
  trail = createSqliteTrail({ file: folder.file, onError: () => undefined })
})
afterEach(async () => {
  await trail.close()
  folder.remove()
})

async function add(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await trail.write(sampleRow(id))
}
const ids = (limit: number, afterSeq = 0): string[] =>
  readTrail({ file: folder.file, limit, afterSeq }).map(({ row }) => row.id)

describe('reading a trail', () => {
  it('gives the newest rows, oldest first, whole and with their places', async () => {
    await add('a', 'b', 'c')
    expect(ids(2)).toEqual(['b', 'c'])
    expect(ids(10, 1)).toEqual(['b', 'c'])
    expect(ids(1, 1)).toEqual(['c'])
    const [newest] = readTrail({ file: folder.file, limit: 1 })
    expect(newest).toMatchObject({ row: sampleRow('c'), head: trail.head() })
  })

  it('gives nothing for a limit of none, for no file, or before the tables are there', async () => {
    expect(ids(5)).toEqual([])
    openDatabase(folder.file).close()
    expect(ids(5)).toEqual([])
    await add('a')
    expect([ids(0), ids(-1)]).toEqual([[], []])
  })

  it('goes on over a row that somebody wrote over', async () => {
    await add('a', 'b', 'c')
    tamper(folder.file, ["UPDATE audit SET body = 'gone' WHERE seq = 2"])
    const rows = readTrail({ file: folder.file, limit: 3 }).map(({ row }) => row)
    expect(rows.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['a', 'ok', ''],
      ['', 'fault', 'unreadable'],
      ['c', 'ok', ''],
    ])
  })

  it('refuses a file of another version', async () => {
    await add('a')
    tamper(folder.file, ['PRAGMA user_version = 1'])
    expect(() => ids(1)).toThrow('ARROWHEAD_AUDIT_FILE')
  })
})

describe('following a trail', () => {
  it('waits for a trail that is not there yet and gives each row once, in order', async () => {
    const stop = new AbortController()
    const seen: string[] = []
    const writing = (async (): Promise<void> => {
      await add('a', 'b')
      await new Promise((resolve) => setImmediate(resolve))
      await add('c')
    })()
    for await (const { row } of followTrail({ file: folder.file, afterSeq: 0, signal: stop.signal, pollMs: 1 })) {
      seen.push(row.id)
      if (row.id === 'c') stop.abort()
    }
    await writing
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('begins behind the given row and ends quietly while it waits', async () => {
    await add('a', 'b')
    const stop = new AbortController()
    const rows = followTrail({ file: folder.file, afterSeq: 1, signal: stop.signal, pollMs: 1_000_000 })
    expect((await rows.next()).value?.row.id).toBe('b')
    const waiting = rows.next()
    stop.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('begins anew when another file took the place of the trail', async () => {
    await add('a', 'b')
    const stop = new AbortController()
    const rows = followTrail({ file: folder.file, afterSeq: 1, signal: stop.signal, pollMs: 1 })
    await rows.next()
    for (const end of ['', '-wal', '-shm']) rmSync(`${folder.file}${end}`)
    await add('new')
    expect((await rows.next()).value).toMatchObject({ row: { id: 'new' }, head: { seq: 1 } })
    stop.abort()
    expect(await rows.next()).toMatchObject({ done: true })
  })

  it('gives more rows than one page holds', async () => {
    const names = Array.from({ length: 1_201 }, (_, index) => `${index}`)
    for (const name of names) trail.append(sampleRow(name))
    await trail.flush()
    const stop = new AbortController()
    const seen: string[] = []
    for await (const { row } of followTrail({ file: folder.file, afterSeq: 0, signal: stop.signal, pollMs: 1 })) {
      seen.push(row.id)
      if (seen.length === names.length) stop.abort()
    }
    expect(seen).toEqual(names)
  })
})
