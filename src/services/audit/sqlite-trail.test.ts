import { existsSync, mkdirSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow, AuditTrail } from '../../kernel/audit.ts'
import { sampleRow, type TrailFolder, tamper, trailFolder } from './audit.fixture.ts'
import { readTrail } from './read-trail.ts'
import { createSqliteTrail, type SqliteTrailOptions } from './sqlite-trail.ts'
import type { TrailTrouble } from './trail-troubles.ts'
import { verifyTrail } from './verify-trail.ts'

let folder: TrailFolder
let trails: AuditTrail[]
let troubles: { readonly error: unknown; readonly trouble: TrailTrouble }[]
beforeEach(() => {
  folder = trailFolder()
  trails = []
  troubles = []
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(trails.map((trail) => trail.close()))
  folder.remove()
})

function makeTrail(changes: Partial<SqliteTrailOptions> = {}): AuditTrail {
  const onError = (error: unknown, trouble: TrailTrouble): void => void troubles.push({ error, trouble })
  const trail = createSqliteTrail({ file: folder.file, onError, ...changes })
  trails.push(trail)
  return trail
}

const ids = (): string[] => readTrail({ file: folder.file, limit: 10_000 }).map(({ row }) => row.id)

/** A folder in the place of the file, so that no attempt can succeed; works for root as well. */
const block = (): void => void mkdirSync(folder.file)
const unblock = (): void => rmSync(folder.file, { recursive: true })

describe('a trail', () => {
  it('is one chain of appended and written rows in the order in which they came', async () => {
    const trail = makeTrail({ batchSize: 4 })
    const names = Array.from({ length: 30 }, (_, index) => `row-${index}`)
    for (const [index, name] of names.entries()) {
      if (index % 7 === 3) await trail.write(sampleRow(name))
      else trail.append(sampleRow(name))
    }
    await trail.flush()
    expect(ids()).toEqual(names)
    const verdict = verifyTrail({ file: folder.file })
    expect(verdict).toMatchObject({ ok: true, rows: 30, head: trail.head(), openIntents: { count: 0 } })
  })

  it('opens its file with the first write and has no head before it', async () => {
    const trail = makeTrail()
    expect([existsSync(folder.file), trail.head()]).toEqual([false, undefined])
    await trail.write(sampleRow('a'))
    expect(trail.head()).toEqual(readTrail({ file: folder.file, limit: 1 })[0]?.head)
  })

  it('writes appended rows by itself after a moment, and a full batch without waiting for it', async () => {
    makeTrail({ flushMs: 1 }).append(sampleRow('timer'))
    await vi.waitFor(() => expect(ids()).toEqual(['timer']))
    const slow = makeTrail({ flushMs: 1_000_000, batchSize: 2 })
    slow.append(sampleRow('b'))
    slow.append(sampleRow('c'))
    await vi.waitFor(() => expect(ids()).toEqual(['timer', 'b', 'c']))
  })

  it('has a written row on disk when write returns, behind everything appended before', async () => {
    const trail = makeTrail({ flushMs: 1_000_000 })
    trail.append(sampleRow('before'))
    await trail.write(sampleRow('written'))
    expect(ids()).toEqual(['before', 'written'])
  })

  it('goes on where the last process ended', async () => {
    const first = makeTrail()
    await first.write(sampleRow('a'))
    await first.close()
    await makeTrail().write(sampleRow('b'))
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 2 })
  })

  it('writes its whole queue at once when the queue is full', () => {
    const trail = makeTrail({ maxQueued: 5, batchSize: 2, flushMs: 1_000_000 })
    for (let index = 0; index < 6; index += 1) trail.append(sampleRow(`${index}`))
    expect(ids()).toEqual(['0', '1', '2', '3', '4'])
  })

  it('writes what is queued when it is closed, and takes nothing afterwards', async () => {
    const trail = makeTrail({ flushMs: 1_000_000 })
    trail.append(sampleRow('queued'))
    await trail.close()
    await trail.close()
    trail.append(sampleRow('late'))
    await expect(trail.write(sampleRow('late'))).rejects.toThrow('closed')
    expect(ids()).toEqual(['queued'])
    expect(troubles).toMatchObject([{ trouble: { waiting: 0, lost: 1 } }])
  })

  it('stores every row so that its hash can be found again, whatever its texts and numbers are', async () => {
    const trail = makeTrail({ key: 'k' })
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', 'a\0b', '\ud800', 'x'.repeat(5_000)))
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 1e18))
    const row = fc.record({ id: text, at: number, caller: text, args: text, reason: text, ms: number })
    await fc.assert(
      fc.asyncProperty(row, (changes) => trail.write(sampleRow('', changes))),
      { numRuns: 200 },
    )
    expect(verifyTrail({ file: folder.file, key: 'k' })).toMatchObject({ ok: true, rows: 200 })
  })

  it('does not stop at a row that is no row', async () => {
    const trail = makeTrail()
    trail.append({ id: 'odd' } as unknown as AuditRow)
    await trail.write(sampleRow('next'))
    expect(ids()).toEqual(['odd', 'next'])
  })

  it('is shared by two writers in one process', async () => {
    const [a, b] = [makeTrail(), makeTrail()]
    for (let index = 0; index < 10; index += 1) await (index % 2 === 0 ? a : b).write(sampleRow(`${index}`))
    expect(ids()).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`))
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 10 })
    expect(troubles).toEqual([])
  })
})

describe('the file of a trail', () => {
  const refused = (sql: string, text: string): void => {
    const db = openDatabase(folder.file)
    expect(() => db.exec(sql)).toThrow(text)
    db.close()
  }

  it('refuses to change, delete or replace a row', async () => {
    const trail = makeTrail()
    await trail.write(sampleRow('a'))
    await trail.write(sampleRow('b'))
    refused("UPDATE audit SET body = 'mallory'", 'never changed')
    refused('DELETE FROM audit WHERE seq = 1', 'never deleted')
    refused('INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 1', 'only appended')
    refused("INSERT INTO audit VALUES (-1, '[]', '', '')", 'only appended')
    refused("INSERT INTO audit VALUES (3, '[]', '', ''), (3, '[]', '', '')", 'only appended')
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 2 })
  })

  it('takes rows under one key only', async () => {
    await makeTrail({ key: 'one' }).write(sampleRow('a'))
    await expect(makeTrail({ key: 'two' }).write(sampleRow('b'))).rejects.toThrow('another key')
    await expect(makeTrail().write(sampleRow('c'))).rejects.toThrow('another key')
    expect(ids()).toEqual(['a'])
    expect(() => makeTrail({ key: '' })).toThrow(TypeError)
  })

  it.each([1, 99])('of version %i is left alone, and the error says what to do', async (version) => {
    const db = openDatabase(folder.file)
    db.exec(`CREATE TABLE audit(seq INTEGER PRIMARY KEY, id TEXT) STRICT; PRAGMA user_version = ${version}`)
    db.close()
    const trail = makeTrail()
    await expect(trail.write(sampleRow('a'))).rejects.toThrow(/another version.*ARROWHEAD_AUDIT_FILE/)
    expect(troubles.map(({ error }) => String(error))).toEqual([expect.stringContaining('another version')])
    const after = openDatabase(folder.file, { access: 'read' })
    expect(after.all('SELECT * FROM audit')).toEqual([])
    expect(after.get('PRAGMA user_version')).toEqual({ user_version: version })
    after.close()
  })

  it('is made anew when it was deleted under a running process, which says so', async () => {
    const trail = makeTrail()
    for (const id of ['a', 'b']) await trail.write(sampleRow(id))
    for (const end of ['', '-wal', '-shm']) rmSync(`${folder.file}${end}`)
    await trail.write(sampleRow('c'))
    expect(ids()).toEqual(['c'])
    expect(troubles.map(({ error }) => String(error))).toEqual([expect.stringContaining('cut or replaced')])
  })

  it('whose tail and head were cut under a running process is reported by it', async () => {
    const trail = makeTrail()
    for (const id of ['a', 'b', 'c']) await trail.write(sampleRow(id))
    const second = readTrail({ file: folder.file, limit: 2 })[0]?.head
    tamper(
      folder.file,
      ['DELETE FROM audit WHERE seq > ?', 2],
      ['UPDATE head SET seq = ?, hash = ?', 2, second?.hash ?? ''],
    )
    await trail.write(sampleRow('d'))
    expect(troubles.map(({ error }) => String(error))).toEqual([expect.stringContaining('cut or replaced')])
  })
})

describe('a trail that cannot be written', () => {
  it('makes write fail without keeping its row, and keeps appended rows for later', async () => {
    block()
    const trail = makeTrail()
    trail.append(sampleRow('kept'))
    await expect(trail.write(sampleRow('refused'))).rejects.toThrow('not a regular file')
    await expect(trail.flush()).resolves.toBeUndefined()
    expect(troubles).toHaveLength(1)
    unblock()
    await trail.flush()
    expect(ids()).toEqual(['kept'])
  })

  it('tries again by itself and says so once a minute', async () => {
    vi.useFakeTimers()
    block()
    const trail = makeTrail({ flushMs: 20 })
    trail.append(sampleRow('a'))
    trail.append(sampleRow('b'))
    await vi.advanceTimersByTimeAsync(59_000)
    expect(troubles).toMatchObject([{ trouble: { waiting: 2, lost: 0 } }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(troubles).toHaveLength(2)
    unblock()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(ids()).toEqual(['a', 'b'])
  })

  it('is as quick as before once a write has gone through', async () => {
    vi.useFakeTimers()
    block()
    const trail = makeTrail({ flushMs: 20 })
    trail.append(sampleRow('a'))
    await vi.advanceTimersByTimeAsync(20)
    unblock()
    await trail.write(sampleRow('b'))
    trail.append(sampleRow('c'))
    await vi.advanceTimersByTimeAsync(20)
    expect(ids()).toEqual(['a', 'b', 'c'])
  })

  it('never throws from append, loses the newest rows when its queue is full, and notes how many', async () => {
    block()
    const onError = (): never => {
      throw new Error('the reporter fails too')
    }
    const trail = makeTrail({ maxQueued: 3, onError })
    for (let index = 0; index < 8; index += 1) trail.append(sampleRow(`${index}`, { caller: 'secret' }))
    unblock()
    await trail.flush()
    const rows = readTrail({ file: folder.file, limit: 10 }).map(({ row }) => row)
    expect(rows.map(({ reason }) => reason)).toEqual(['', '', '', 'rows-lost'])
    expect(rows[3]).toMatchObject({
      kind: 'server',
      component: 'audit',
      caller: '',
      args: '{rows: 5}',
      outcome: 'fault',
    })
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 4 })
  })

  it('waits with the next attempt instead of blocking every append', () => {
    block()
    const trail = makeTrail({ maxQueued: 1, batchSize: 1 })
    trail.append(sampleRow('a'))
    trail.append(sampleRow('b'))
    unblock()
    trail.append(sampleRow('c'))
    expect(existsSync(folder.file)).toBe(false)
  })

  it('says what it loses when it is closed', async () => {
    block()
    const trail = makeTrail()
    trail.append(sampleRow('a'))
    await trail.close()
    expect(troubles).toMatchObject([{ trouble: { waiting: 1 } }])
  })
})

describe('a trail under load', () => {
  const names = (count: number, prefix = 'row'): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

  it('is one chain in the order in which rows came, although large batches are written in the background', async () => {
    const trail = makeTrail({ flushMs: 1, batchSize: 64 })
    await trail.write(sampleRow('first'))
    const all = names(2_000)
    for (const [index, name] of all.entries()) {
      trail.append(sampleRow(name, { caller: "o'brien", reason: '"; --' }))
      if (index % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await trail.flush()
    expect(ids()).toEqual(['first', ...all])
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 2_001, head: trail.head() })
    expect(troubles).toEqual([])
  })

  it('has a written row on disk behind rows that were on their way when it came', async () => {
    const trail = makeTrail({ flushMs: 0 })
    await trail.write(sampleRow('first'))
    for (const name of names(200)) trail.append(sampleRow(name))
    await new Promise((resolve) => setTimeout(resolve, 2))
    await trail.write(sampleRow('written'))
    expect(ids()).toEqual(['first', ...names(200), 'written'])
  })

  it('loses nothing when it is closed while rows are on their way', async () => {
    const trail = makeTrail({ flushMs: 0, batchSize: 50 })
    await trail.write(sampleRow('first'))
    for (const name of names(400)) trail.append(sampleRow(name))
    await new Promise((resolve) => setTimeout(resolve, 1))
    await trail.close()
    expect(ids()).toEqual(['first', ...names(400)])
    expect(troubles).toEqual([])
  })

  it('writes a full queue beside what is on its way, and both are in the chain', async () => {
    const trail = makeTrail({ flushMs: 0, batchSize: 32, maxQueued: 40 })
    await trail.write(sampleRow('first'))
    for (const name of names(32)) trail.append(sampleRow(name))
    await new Promise((resolve) => setImmediate(resolve))
    for (const name of names(100, 'more')) trail.append(sampleRow(name))
    await trail.flush()
    expect(ids().sort()).toEqual(['first', ...names(32), ...names(100, 'more')].sort())
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 133 })
    expect(troubles).toEqual([])
  })

  it('keeps the rows of a batch that failed in the background, and writes them when it can', async () => {
    const trail = makeTrail({ flushMs: 0 })
    await trail.write(sampleRow('first'))
    tamper(folder.file, ["CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END"])
    for (const name of names(40)) trail.append(sampleRow(name))
    await vi.waitFor(() => expect(troubles).toMatchObject([{ trouble: { waiting: 40, lost: 0 } }]))
    expect(String(troubles[0]?.error)).toContain('full')
    tamper(folder.file, ['DROP TRIGGER full'])
    await trail.flush()
    expect(ids()).toEqual(['first', ...names(40)])
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 41 })
  })

  it('has taken a written row when only rows behind it cannot be written', async () => {
    const trail = makeTrail({ flushMs: 0, batchSize: 16 })
    await trail.write(sampleRow('first'))
    tamper(folder.file, ["CREATE TRIGGER bad BEFORE INSERT ON audit WHEN NEW.body LIKE '%bad%' BEGIN SELECT RAISE(ABORT, 'full'); END"])
    for (const name of names(16)) trail.append(sampleRow(name))
    await new Promise((resolve) => setImmediate(resolve))
    const written = trail.write(sampleRow('written'))
    for (const name of names(15, 'behind')) trail.append(sampleRow(name))
    trail.append(sampleRow('bad'))
    await written
    expect(ids()).toEqual(['first', ...names(16), 'written', ...names(15, 'behind')])
    expect(troubles).toMatchObject([{ trouble: { waiting: 1 } }])
    tamper(folder.file, ['DROP TRIGGER bad'])
  })

  it('is shared with writers whose rows come between', async () => {
    const [a, b] = [makeTrail({ flushMs: 0 }), makeTrail({ flushMs: 0 })]
    for (let round = 0; round < 10; round += 1) {
      for (const name of names(30, `${round}`)) (round % 3 === 0 ? b : a).append(sampleRow(name))
      for (const name of names(30, `b${round}`)) b.append(sampleRow(name))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await Promise.all([a.flush(), b.flush()])
    expect(ids()).toHaveLength(600)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 600 })
    expect(troubles).toEqual([])
  })
})
