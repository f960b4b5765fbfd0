import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditTrail } from '../../kernel/audit.ts'
import { sampleRow, tamper, type TrailFolder, trailFolder } from './audit.fixture.ts'
import { followTrail, readTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
import { rowsBehind } from './trail-parts.ts'
import { verifyTrail } from './verify-trail.ts'

const SMALL = { maxBytes: 150_000, keepRows: 100 }
const ROWS = 3_000

let folder: TrailFolder
let errors: unknown[]
beforeEach(() => {
  folder = trailFolder()
  errors = []
})
afterEach(() => folder.remove())

const open = (key?: string): AuditTrail => createSqliteTrail({ file: folder.file, archive: SMALL, batchSize: 64, ...(key !== undefined && { key }), onError: (error) => errors.push(error) })
const archives = (): string[] => readdirSync(dirname(folder.file)).filter((name) => /\.\d{12}$/.test(name)).sort().map((name) => `${dirname(folder.file)}/${name}`)

/** Writes rows as a busy process does, and gives what happens beside it its turns; `together` leaves the batches to the trail. */
async function fill(trail: AuditTrail, rows = ROWS, from = 0, together = false): Promise<void> {
  for (let n = from; n < from + rows; n += 1) {
    trail.append(sampleRow(`row-${n}`, { args: 'x'.repeat(100) }))
    if (n % 50 === 0 && !together) await trail.flush()
    if (n % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await trail.close()
}

describe('a trail that is over its size', () => {
  it('goes on in a file of that size, with all that came before in archives, as one chain', async () => {
    await fill(open())
    expect(errors).toEqual([])
    expect(archives().length).toBeGreaterThan(2)
    for (const file of archives()) expect(statSync(file).mode & 0o077).toBe(0)
    expect(readdirSync(dirname(folder.file)).filter((name) => name.includes('making') || /\d{12}-/.test(name))).toEqual([])
    expect(statSync(folder.file).size).toBeLessThan(4 * SMALL.maxBytes)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: ROWS, head: { seq: ROWS } })
  })

  it.each(['apart', 'together'])('is read, followed and copied as if it were in one file, its rows written %s', async (how) => {
    await fill(open(), ROWS, 0, how === 'together')
    const rowsOfTable = openDatabase(archives()[0] ?? '', { access: 'read' })
    const { most } = rowsOfTable.get('SELECT max(length(body)) AS most FROM audit') ?? {}
    rowsOfTable.close()
    expect(Number(most) > 1_000).toBe(how === 'together')
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: ROWS })
    expect(readTrail({ file: folder.file, limit: 50 }).map(({ row }) => row.id)).toEqual(Array.from({ length: 50 }, (_, n) => `row-${ROWS - 50 + n}`))
    const [ids, stop] = [[] as string[], new AbortController()]
    for await (const { row } of followTrail({ file: folder.file, afterSeq: 0, signal: stop.signal })) {
      ids.push(row.id)
      if (ids.length === ROWS) stop.abort()
    }
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, n) => `row-${n}`))
    const db = openDatabase(folder.file, { access: 'read' })
    expect(rowsBehind(db, folder.file, { seq: 7, limit: 1 })).toMatchObject([{ head: { seq: 8 } }])
    db.close()
  })

  it('is archived as it is, for whoever verifies it, where somebody wrote over rows that were written together', async () => {
    await fill(open(), 400, 0, true)
    tamper(folder.file, ["UPDATE audit SET body = 'gone' WHERE seq = (SELECT min(seq) FROM audit WHERE length(body) > 1000)"])
    const before = archives().length
    await fill(open(), ROWS, 400, true)
    expect(errors).toEqual([])
    expect(archives().length).toBeGreaterThan(before + 1)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: false, problem: 'removed' })
  })

  it('has one key from its first row on, wherever that is', async () => {
    await fill(open('key'))
    expect(verifyTrail({ file: folder.file, key: 'key' })).toMatchObject({ ok: true, rows: ROWS })
    expect(verifyTrail({ file: folder.file, key: 'other' })).toMatchObject({ ok: false, problem: 'key', seq: 1 })
    const other = open('other')
    await expect(other.write(sampleRow('forged'))).rejects.toThrow('another key')
    await other.close()
  })

  it('is archived by one of two that write it, and loses nothing to the other', async () => {
    await Promise.all([fill(open(), 1_500), fill(open(), 1_500, 1_500)])
    expect(errors).toEqual([])
    expect(archives().length).toBeGreaterThan(1)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: ROWS })
  })

  it('was kept by an earlier version, and goes on', async () => {
    await fill(open(), 10)
    const db = openDatabase(folder.file)
    db.exec(`DROP TABLE archive; DROP TRIGGER audit_keeps_all; CREATE TRIGGER audit_keeps_all BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'never'); END; PRAGMA user_version = 2`)
    db.close()
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 10 })
    await fill(open(), ROWS, 10)
    expect(archives().length).toBeGreaterThan(1)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: ROWS + 10 })
  })
})

describe('of a trail with archives', () => {
  beforeEach(() => fill(open()))
  const verdict = () => verifyTrail({ file: folder.file })

  it('an archive that is gone is named by its first row', () => {
    const [, second = ''] = archives()
    const first = Number(basename(archives()[0] ?? '').slice(-12))
    rmSync(second)
    expect(verdict()).toMatchObject({ ok: false, problem: 'removed', seq: first + 1 })
  })

  it('a row that was changed in an archive is named', () => {
    tamper(archives()[0] ?? '', ['UPDATE audit SET body = replace(body, \'calculate\', \'fetch\') WHERE seq = 5'])
    expect(verdict()).toMatchObject({ ok: false, problem: 'altered', seq: 5 })
  })

  it('an archive that was cut, or took in a row, is named', () => {
    const [first = ''] = archives()
    const last = Number(basename(first).slice(-12))
    tamper(first, ['DELETE FROM audit WHERE seq = ?', last])
    expect(verdict()).toMatchObject({ ok: false, problem: 'removed', seq: last })
  })

  it('a row that was put back into the file is named', () => {
    tamper(folder.file, ["INSERT INTO audit SELECT 3, body, prev, hash FROM audit LIMIT 1"])
    expect(verdict()).toMatchObject({ ok: false, problem: 'altered' })
  })

  it('rows of no archive cannot be deleted, and no archive can be forgotten', () => {
    const db = openDatabase(folder.file)
    expect(() => db.exec('DELETE FROM audit')).toThrow('never deleted')
    expect(() => db.exec('DELETE FROM archive')).toThrow('never forgotten')
    expect(() => db.exec('UPDATE archive SET last = 999999')).toThrow('never changed')
    db.close()
  })
})
