import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqlValue } from '../../exits/disk/database.ts'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { sampleRow, type TrailFolder, tamper, trailFolder } from './audit.fixture.ts'
import { canonicalRow } from './canonical-row.ts'
import { type AuditKey, createHashChain } from './hash-chain.ts'
import { readTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
import { SELECT_ENTRIES, storedOf, type TrailEntry } from './trail-schema.ts'
import { verifyTrail } from './verify-trail.ts'

let folder: TrailFolder
beforeEach(() => {
  folder = trailFolder()
})
afterEach(() => folder.remove())

async function trailOf(rows: number, key?: AuditKey): Promise<readonly TrailEntry[]> {
  const trail = createSqliteTrail({
    file: folder.file,
    ...(key === undefined ? {} : { key }),
    onError: () => undefined,
  })
  for (let index = 1; index <= rows; index += 1) trail.append(sampleRow(`row-${index}`))
  await trail.close()
  return readTrail({ file: folder.file, limit: rows })
}

const verify = (): unknown => verifyTrail({ file: folder.file })
const bad = (problem: string, seq: number): unknown => ({ ok: false, problem, seq, rows: Math.max(seq - 1, 0) })
const insert = ({ row, prev, head }: TrailEntry, seq: number): [string, ...SqlValue[]] => [
  'INSERT INTO audit(seq, prev, body, hash) VALUES (?, ?, ?, ?)',
  seq,
  prev,
  canonicalRow(row),
  head.hash,
]
const rowHash = (prev: string, seq: number, row: AuditRow): string =>
  createHashChain().hashOf(prev, seq, canonicalRow(row))
/** Edits one part of a row's text, as somebody with a database shell would. */
const edit = (seq: number, name: string, value: SqlValue): [string, ...SqlValue[]] => {
  const at = Object.keys(sampleRow('')).indexOf(name)
  return [`UPDATE audit SET body = json_replace(body, '$[${at}]', ?) WHERE seq = ?`, value, seq]
}

/** Rewrites rows from `from` on as somebody would who has the file but not the key. */
function rebuild(from: number): void {
  const db = openDatabase(folder.file)
  const chain = createHashChain()
  const entries = db.all(`${SELECT_ENTRIES} ORDER BY seq`).map(storedOf)
  let last: TrailHead = entries[from - 2]?.head ?? { seq: 0, hash: chain.genesis }
  for (const { body, head } of entries.slice(from - 1)) {
    const hash = chain.hashOf(last.hash, head.seq, body)
    db.run('UPDATE audit SET prev = ?, hash = ? WHERE seq = ?', last.hash, hash, head.seq)
    last = { seq: head.seq, hash }
  }
  db.run('UPDATE head SET seq = ?, hash = ?', last.seq, last.hash)
  db.close()
}

describe('a trail that nobody touched', () => {
  it('is verified to its head, over many pages', async () => {
    const entries = await trailOf(2_500)
    expect(verify()).toEqual({ ok: true, rows: 2_500, head: entries.at(-1)?.head, openIntents: { count: 0, ids: [] } })
  })

  it('is verified with its key and with heads noted on the way', async () => {
    const entries = await trailOf(5, 'key')
    const anchors = [4, 2, 2, 5].map((seq) => entries[seq - 1]?.head ?? { seq, hash: '' })
    expect(verifyTrail({ file: folder.file, key: 'key', anchors })).toMatchObject({ ok: true, rows: 5 })
  })

  it('counts the intents that no outcome followed, and names them', async () => {
    const trail = createSqliteTrail({ file: folder.file, onError: () => undefined })
    for (const id of ['done', 'lost', 'running']) await trail.write(sampleRow(id, { outcome: 'intent' }))
    for (const id of ['done', 'other']) await trail.write(sampleRow(id, { outcome: 'refused' }))
    await trail.close()
    expect(verify()).toMatchObject({ ok: true, rows: 5, openIntents: { count: 2, ids: ['lost', 'running'] } })
  })

  it('may be empty, or not begun, unless somebody noted a head of it', () => {
    const none = { ok: true, rows: 0, head: undefined, openIntents: { count: 0, ids: [] } }
    expect(verify()).toEqual(none)
    openDatabase(folder.file).close()
    expect(verify()).toEqual(none)
    expect(verifyTrail({ file: folder.file, anchors: [{ seq: 3, hash: 'a'.repeat(64) }] })).toMatchObject({ ok: false, problem: 'truncated' })
  })
})

describe('a trail that was tampered with', () => {
  it.each(Object.keys(sampleRow('')))('names the row whose %s was edited', async (name) => {
    await trailOf(6)
    tamper(folder.file, edit(3, name, name === 'at' || name === 'ms' ? 5 : 'forged'))
    expect(verify()).toEqual(bad('altered', 3))
  })

  it('names the row whose hash was edited, and one whose text has another spelling of the same', async () => {
    await trailOf(6)
    tamper(folder.file, ["UPDATE audit SET hash = 'forged' WHERE seq = 5"])
    expect(verify()).toEqual(bad('altered', 5))
    tamper(folder.file, ["UPDATE audit SET body = replace(body, ',', ', ') WHERE seq = 3"])
    expect(verify()).toEqual(bad('altered', 3))
  })

  it('names a row that was made no row at all, even where the chain was rebuilt', async () => {
    await trailOf(6)
    tamper(folder.file, ["UPDATE audit SET body = '[]' WHERE seq = 3"])
    expect(verify()).toEqual(bad('altered', 3))
    rebuild(3)
    expect(verify()).toEqual(bad('altered', 3))
  })

  it.each([1, 3])('names row %i when only its link was edited', async (seq) => {
    await trailOf(6)
    tamper(folder.file, ['UPDATE audit SET prev = ? WHERE seq = ?', 'f'.repeat(64), seq])
    expect(verify()).toEqual(bad('altered', seq))
  })

  it('names an edited row whose hash was made anew', async () => {
    const entries = await trailOf(6)
    const { row, prev } = entries[2] as TrailEntry
    const hash = rowHash(prev, 3, { ...row, caller: 'mallory' })
    tamper(folder.file, edit(3, 'caller', 'mallory'), ['UPDATE audit SET hash = ? WHERE seq = 3', hash])
    expect(verify()).toEqual(bad('altered', 3))
  })

  it('names the last row when it was edited and its hash made anew', async () => {
    const entries = await trailOf(6)
    const { row, prev } = entries[5] as TrailEntry
    const hash = rowHash(prev, 6, { ...row, caller: 'mallory' })
    tamper(folder.file, edit(6, 'caller', 'mallory'), ['UPDATE audit SET hash = ? WHERE seq = 6', hash])
    expect(verify()).toEqual(bad('altered', 6))
  })

  it.each([
    [1, 1],
    [3, 3],
    [3, 4],
  ])('names the first of the deleted rows %i to %i', async (from, to) => {
    await trailOf(6)
    tamper(folder.file, ['DELETE FROM audit WHERE seq BETWEEN ? AND ?', from, to])
    expect(verify()).toEqual(bad('removed', from))
  })

  it.each(['body', 'prev', 'hash'])('names the row whose %s is no longer UTF-8, or goes on behind a null', async (column) => {
    await trailOf(6)
    tamper(folder.file, [`UPDATE audit SET ${column} = CAST(CAST(${column} AS BLOB) || x'ff41' AS TEXT) WHERE seq = 3`])
    expect(verify()).toEqual(bad('altered', 3))
    expect(readTrail({ file: folder.file, limit: 6 })).toHaveLength(6)
    rmSync(folder.file)
    await trailOf(6)
    tamper(folder.file, [`UPDATE audit SET ${column} = ${column} || char(0) || 'hidden' WHERE seq = 3`])
    expect(verify()).toEqual(bad('altered', 3))
  })

  it('goes on being written where its head is no longer UTF-8, and is not whole', async () => {
    await trailOf(3)
    tamper(folder.file, ["UPDATE head SET hash = CAST(x'ff41' AS TEXT)"])
    await trailOf(1)
    expect(verify()).toMatchObject({ ok: false })
  })

  it('names the row where a cut tail begins', async () => {
    await trailOf(6)
    tamper(folder.file, ['DELETE FROM audit WHERE seq > 4'])
    expect(verify()).toEqual(bad('truncated', 5))
  })

  it('notices that every row was deleted, and that the head was', async () => {
    await trailOf(3)
    tamper(folder.file, ['DELETE FROM head'])
    expect(verify()).toEqual(bad('truncated', 4))
    tamper(folder.file, ['DELETE FROM audit'])
    expect(verify()).toMatchObject({ ok: true, rows: 0, head: undefined })
    expect(verifyTrail({ file: folder.file, anchors: [{ seq: 3, hash: 'a' }] })).toEqual(bad('truncated', 1))
  })

  it('names a tail that was cut with its head only against a noted head', async () => {
    const entries = await trailOf(6)
    const anchors = [entries[5]?.head ?? { seq: 0, hash: '' }]
    tamper(
      folder.file,
      ['DELETE FROM audit WHERE seq > 4'],
      ['UPDATE head SET seq = 4, hash = ?', entries[3]?.head.hash ?? ''],
    )
    expect(verify()).toMatchObject({ ok: true, rows: 4 })
    expect(verifyTrail({ file: folder.file, anchors })).toEqual(bad('truncated', 5))
  })

  it('names the first of two rows that changed places', async () => {
    await trailOf(6)
    tamper(
      folder.file,
      ['UPDATE audit SET seq = -1 WHERE seq = 3'],
      ['UPDATE audit SET seq = 3 WHERE seq = 5'],
      ['UPDATE audit SET seq = 5 WHERE seq = -1'],
    )
    expect(verify()).toEqual(bad('reordered', 3))
  })

  it('names a row that was inserted again elsewhere, before the beginning or behind the head', async () => {
    const entries = await trailOf(6)
    const second = entries[1] as TrailEntry
    tamper(folder.file, ['DELETE FROM audit WHERE seq = 4'], insert(second, 4))
    expect(verify()).toEqual(bad('reordered', 4))
    tamper(folder.file, insert(second, -7))
    expect(verify()).toEqual(bad('reordered', -7))
  })

  it('names a row that was put behind the head with a hash of its own', async () => {
    const entries = await trailOf(6)
    const last = entries[5] as TrailEntry
    const forged = { ...last, prev: last.head.hash, head: { seq: 7, hash: rowHash(last.head.hash, 7, last.row) } }
    tamper(folder.file, insert(forged, 7))
    expect(verify()).toEqual(bad('reordered', 7))
  })

  it('notices a row whose number is larger than any that a trail reaches', async () => {
    await trailOf(6)
    tamper(folder.file, ['INSERT INTO audit SELECT 9223372036854775807, body, prev, hash FROM audit LIMIT 1'])
    expect(verify()).toMatchObject({ ok: false, seq: 7 })
  })

  it('names a row that was deleted and inserted again with other content', async () => {
    const entries = await trailOf(6)
    const third = entries[2] as TrailEntry
    tamper(
      folder.file,
      ['DELETE FROM audit WHERE seq = 3'],
      insert({ ...third, row: { ...third.row, caller: 'mallory' } }, 3),
    )
    expect(verify()).toEqual(bad('altered', 3))
  })

  it('names a rebuilt chain by a noted head, and by its key alone', async () => {
    const entries = await trailOf(6)
    const anchors = [entries[4]?.head ?? { seq: 0, hash: '' }]
    tamper(folder.file, edit(2, 'caller', 'mallory'))
    rebuild(2)
    expect(verify()).toMatchObject({ ok: true, rows: 6 })
    expect(verifyTrail({ file: folder.file, anchors })).toEqual(bad('anchor', 5))
  })

  it('under a key cannot be rebuilt without it', async () => {
    await trailOf(6, 'key')
    tamper(folder.file, edit(2, 'caller', 'mallory'))
    rebuild(2)
    expect(verifyTrail({ file: folder.file, key: 'key' })).toEqual(bad('altered', 2))
  })
})

describe('a trail that cannot be judged', () => {
  it('was begun with another key, or with none', async () => {
    await trailOf(3, 'key')
    expect(verifyTrail({ file: folder.file, key: 'other' })).toEqual(bad('key', 1))
    expect(verify()).toEqual(bad('key', 1))
    rmSync(folder.file)
    await trailOf(3)
    expect(verifyTrail({ file: folder.file, key: 'key' })).toEqual(bad('key', 1))
  })

  it('was written by another version', async () => {
    await trailOf(3)
    tamper(folder.file, ['PRAGMA user_version = 1'])
    expect(verify()).toEqual(bad('unreadable', 1))
  })

  it('had the version of its tables taken away, which must not hide its rows', async () => {
    await trailOf(3)
    tamper(folder.file, ['PRAGMA user_version = 0'])
    expect(verify()).toEqual(bad('unreadable', 1))
  })

  it('is no database', () => {
    writeFileSync(folder.file, 'no database at all, only words and words and words '.repeat(50))
    expect(verify()).toMatchObject({ ok: false, problem: 'unreadable' })
  })
})

it('tells how far it is after each page of rows, of all that there are', async () => {
  await trailOf(1_200)
  const told: (readonly [number, number])[] = []
  expect(verifyTrail({ file: folder.file, onRows: (done, total) => void told.push([done, total]) })).toMatchObject({ ok: true, rows: 1_200 })
  expect(told).toEqual([[expect.any(Number), 1_200], [1_200, 1_200]])
  expect(told[0]?.[0]).toBeGreaterThanOrEqual(1_000)
})
