import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow } from '../../kernel/audit.ts'
import { sampleRow, type TrailFolder, tamper, trailFolder } from './audit.fixture.ts'
import { canonicalRow } from './canonical-row.ts'
import { createHashChain } from './hash-chain.ts'
import { readTrail } from './read-trail.ts'
import { openTrailStore, type TrailStore } from './trail-store.ts'
import { verifyTrail } from './verify-trail.ts'

let folder: TrailFolder
let store: TrailStore
beforeEach(() => {
  folder = trailFolder()
  store = openTrailStore(folder.file)
})
afterEach(() => {
  store.close()
  folder.remove()
})

const text = (id: string, changes: Partial<AuditRow> = {}): string => canonicalRow(sampleRow(id, changes))
const ids = (): string[] => readTrail({ file: folder.file, limit: 10_000 }).map(({ row }) => row.id)

describe('an open trail file', () => {
  it.each([1, 2, 31, 32, 33, 64, 100, 257])('takes %i rows at once, and as many behind them', (count) => {
    const names = Array.from({ length: 2 * count }, (_, index) => `row-${index}`)
    store.append(names.slice(0, count).map((name) => text(name)))
    const head = store.append(names.slice(count).map((name) => text(name)))
    expect(ids()).toEqual(names)
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 2 * count, head })
  })

  it('stores the text that its hash was made of', () => {
    const row = sampleRow('a', { caller: 'é"\\', reason: 'a\0b' })
    const { hash } = store.append([canonicalRow(row)])
    const db = openDatabase(folder.file, { access: 'read' })
    const chain = createHashChain()
    const stored = { seq: 1, body: canonicalRow(row), prev: chain.genesis, hash }
    expect(db.all('SELECT * FROM audit')).toEqual([stored])
    expect(chain.hashOf(stored.prev, stored.seq, stored.body)).toBe(hash)
    db.close()
  })

  it('shows its rows in columns to whoever looks at it with a database shell', () => {
    const rows = [sampleRow('a', { caller: 'é"\\' }), sampleRow('b', { outcome: 'refused', code: 'access.denied' })]
    store.append(rows.map(canonicalRow))
    const db = openDatabase(folder.file, { access: 'read' })
    expect(db.all('SELECT * FROM audit_rows')).toEqual(rows.map((row, at) => ({ stored: at + 1, seq: at + 1, ...row, errand: null })))
    db.close()
  })

  it('follows the head that it finds, not the one that it left', () => {
    const other = openTrailStore(folder.file)
    for (const name of ['a', 'b', 'c', 'd', 'e']) (name === 'b' || name === 'e' ? other : store).append([text(name)])
    other.close()
    const { hash: before } = readTrail({ file: folder.file, limit: 2 })[0]?.head ?? { hash: '' }
    const body = canonicalRow(sampleRow('other'))
    const hash = createHashChain().hashOf(before, 5, body)
    tamper(folder.file, ['UPDATE audit SET body = ?, hash = ? WHERE seq = 5', body, hash], ['UPDATE head SET hash = ?', hash])
    store.append([text('f')])
    tamper(folder.file, ['UPDATE audit SET hash = ? WHERE seq = 6', 'f'.repeat(64)], ['UPDATE head SET hash = ?', 'f'.repeat(64)])
    store.append([text('g')])
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'other', 'f', 'g'])
    expect(verifyTrail({ file: folder.file })).toEqual({ ok: false, problem: 'altered', seq: 6, rows: 5 })
    expect(readTrail({ file: folder.file, limit: 1 })[0]?.prev).toBe('f'.repeat(64))
  })

  it('keeps nothing of a batch that could not be stored, and goes on with the next', () => {
    store.append([text('a')])
    const head = store.append([text('b')])
    tamper(folder.file, ["CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.body LIKE '%bad%' BEGIN SELECT RAISE(ABORT, 'full'); END"])
    expect(() => store.append([text('c'), text('bad')])).toThrow('full')
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 2, head })
    store.append([text('d')])
    expect(ids()).toEqual(['a', 'b', 'd'])
    expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 3 })
  })
})
