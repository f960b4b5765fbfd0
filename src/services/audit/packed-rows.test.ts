import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import type { AuditRow } from '../../kernel/audit.ts'
import { anyRow } from './any-row.fixture.ts'
import { sampleRow, tamper, type TrailFolder, trailFolder } from './audit.fixture.ts'
import { canonicalRow } from './canonical-row.ts'
import { createHashChain } from './hash-chain.ts'
import { packed, unpacked } from './packed-rows.ts'
import { readTrail } from './read-trail.ts'
import { rowsBehind } from './trail-parts.ts'
import { openTrailStore } from './trail-store.ts'
import { verifyTrail } from './verify-trail.ts'

let folder: TrailFolder
beforeEach(() => {
  folder = trailFolder()
})
afterEach(() => folder.remove())

/** Row 1 apart, rows 2 to 21 in one, rows 22 to 31 in one, row 32 apart: as a trail is that was busy for a while. */
async function busyTrail(key?: string): Promise<void> {
  const store = openTrailStore(folder.file, key)
  const bodies = Array.from({ length: 32 }, (_, at) => canonicalRow(sampleRow(`row-${at + 1}`, at === 6 ? { caller: 'é",\n"\\' } : {})))
  store.append(bodies.slice(0, 1))
  await store.appendInBackground(bodies.slice(1, 21))
  await store.appendInBackground(bodies.slice(21, 31))
  store.append(bodies.slice(31))
  store.close()
}

const NAMES = Array.from({ length: 32 }, (_, at) => `row-${at + 1}`)
const verify = (): unknown => verifyTrail({ file: folder.file })
const bad = (problem: string, seq: number): unknown => ({ ok: false, problem, seq, rows: seq - 1 })
/** Writes over the text of the table's row that ends with `seq`. */
const rewrite = (seq: number, change: (body: string) => string): void => {
  const db = openDatabase(folder.file, { access: 'read' })
  const body = String(db.get('SELECT body FROM audit WHERE seq = ?', seq)?.['body'])
  db.close()
  expect(change(body)).not.toBe(body)
  tamper(folder.file, ['UPDATE audit SET body = ? WHERE seq = ?', change(body), seq])
}

describe('rows that were written together', () => {
  it('are one row of the table, and each its own to whoever reads, follows, verifies or looks with a shell', async () => {
    await busyTrail()
    const db = openDatabase(folder.file, { access: 'read' })
    expect(db.all('SELECT seq FROM audit ORDER BY seq').map(({ seq }) => seq)).toEqual([1, 21, 31, 32])
    expect(db.all('SELECT seq, id FROM audit_rows ORDER BY stored, seq')).toEqual(NAMES.map((id, at) => ({ seq: at + 1, id })))
    expect(db.get("SELECT caller FROM audit_rows WHERE id = 'row-7'")).toEqual({ caller: 'é",\n"\\' })
    for (const seq of [0, 1, 5, 20, 21, 25, 31]) {
      expect(rowsBehind(db, folder.file, { seq, limit: 3 }).map(({ head }) => head.seq)).toEqual([1, 2, 3].map((more) => seq + more).filter((one) => one <= 32))
    }
    db.close()
    expect(readTrail({ file: folder.file, limit: 100 }).map(({ row }) => row.id)).toEqual(NAMES)
    expect(readTrail({ file: folder.file, limit: 15 }).map(({ row }) => row.id)).toEqual(NAMES.slice(-15))
    expect(readTrail({ file: folder.file, limit: 100, afterSeq: 12 }).map(({ row }) => row.id)).toEqual(NAMES.slice(12))
    expect(verify()).toMatchObject({ ok: true, rows: 32 })
  })

  it('are checked each by its own hash and key, and against heads noted at any of them', async () => {
    await busyTrail('key')
    const anchors = readTrail({ file: folder.file, limit: 100 }).map(({ head }) => head)
    expect(verifyTrail({ file: folder.file, key: 'key', anchors })).toMatchObject({ ok: true, rows: 32 })
    expect(verifyTrail({ file: folder.file, key: 'other', anchors })).toEqual(bad('key', 1))
    const forged = anchors.map((head) => (head.seq === 9 ? { ...head, hash: 'f'.repeat(64) } : head))
    expect(verifyTrail({ file: folder.file, key: 'key', anchors: forged })).toEqual(bad('anchor', 9))
  })

  it.each<readonly [string, number, string, (body: string) => string]>([
    ['was edited', 9, 'altered', (body) => body.replace('"row-9",', '"row-0",')],
    ['lost its hash to another', 9, 'altered', (body) => `${body.slice(0, 7 * 64)}${'f'.repeat(64)}${body.slice(8 * 64)}`],
    ['was cut out with its hash', 9, 'removed', (body) => `${body.slice(0, 7 * 64)}${body.slice(8 * 64)}`.replace(/\n\["row-9".*/, '')],
    ['was put in twice with its hash', 10, 'reordered', (body) => `${body.slice(0, 8 * 64)}${body.slice(7 * 64)}`.replace(/\n\["row-9".*/, '$&$&')],
    ['was put in without a hash', 21, 'altered', (body) => `${body},\n${canonicalRow(sampleRow('more'))}`],
    ['is not there though its hash is', 21, 'altered', (body) => body.replace(/,\n\["row-21".*/, '')],
    ['changed places with the next', 9, 'altered', (body) => body.replace(/(\n\["row-9".*)(\n\["row-10".*)/, '$2$1')],
    ['has another spelling', 9, 'altered', (body) => body.replace('"row-9",', '"row-9", ')],
  ])('show which of them %s', async (_what, seq, problem, change) => {
    await busyTrail()
    rewrite(21, change)
    expect(verify()).toEqual(bad(problem, seq))
  })

  it('are missed together, and where their text is none any more', async () => {
    await busyTrail()
    tamper(folder.file, ['UPDATE audit SET hash = ? WHERE seq = 21', 'f'.repeat(64)])
    expect(verify()).toEqual(bad('altered', 21))
    tamper(folder.file, ["UPDATE audit SET body = 'gone' WHERE seq = 21"])
    expect(verify()).toEqual(bad('removed', 2))
    tamper(folder.file, ['DELETE FROM audit WHERE seq = 21'])
    expect(verify()).toEqual(bad('removed', 2))
  })

  it('with another number, or after another row, are not where they were', async () => {
    await busyTrail()
    tamper(folder.file, ['UPDATE audit SET seq = 20 WHERE seq = 21'])
    expect(verify()).toEqual(bad('reordered', 2))
    tamper(folder.file, ['UPDATE audit SET seq = 21 WHERE seq = 20'], ['UPDATE audit SET prev = ? WHERE seq = 21', 'f'.repeat(64)])
    expect(verify()).toEqual(bad('altered', 2))
  })

  it('go on in a file of the version that had each row apart', async () => {
    const store = openTrailStore(folder.file)
    store.append([canonicalRow(sampleRow('old'))])
    store.close()
    tamper(folder.file, ['DROP VIEW audit_rows'], ['PRAGMA user_version = 3'])
    expect(readTrail({ file: folder.file, limit: 5 }).map(({ row }) => row.id)).toEqual(['old'])
    const again = openTrailStore(folder.file)
    again.append([canonicalRow(sampleRow('first'))])
    await again.appendInBackground(['a', 'b', 'c'].map((id) => canonicalRow(sampleRow(id))))
    again.close()
    const db = openDatabase(folder.file, { access: 'read' })
    expect(db.all('SELECT id FROM audit_rows ORDER BY stored, seq').map(({ id }) => id)).toEqual(['old', 'first', 'a', 'b', 'c'])
    db.close()
    expect(verify()).toMatchObject({ ok: true, rows: 5 })
  })
})

it('whatever rows hold, they come out of one text as they went in', () => {
  const chain = createHashChain()
  fc.assert(fc.property(fc.array(anyRow as fc.Arbitrary<AuditRow>, { minLength: 2, maxLength: 8 }), (rows) => {
    const bodies = rows.map(canonicalRow)
    const hashes: string[] = []
    for (const [at, body] of bodies.entries()) hashes.push(chain.hashOf(hashes[at - 1] ?? chain.genesis, at + 1, body))
    const head = { seq: rows.length, hash: hashes.at(-1) ?? '' }
    expect(unpacked({ head, prev: chain.genesis, body: packed(bodies, hashes).join('') })).toEqual(
      bodies.map((body, at) => ({ head: { seq: at + 1, hash: hashes[at] }, prev: hashes[at - 1] ?? chain.genesis, body })),
    )
  }))
})
