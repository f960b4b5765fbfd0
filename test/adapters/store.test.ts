/** The store on a server: steps in one transaction, one writer at a time, and what faults of the way to it come to. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { all, get, run } from '../../src/kernel/ports/store.ts'
import type { Store } from '../../src/kernel/ports/store.ts'
import { copyTrail, createSqliteTrail, readTrail } from '../../src/services/audit/index.ts'
import { createPostgresStore } from '../../src/services/database/index.ts'
import type { AuditRow } from '../../src/kernel/audit.ts'
import { onServer } from './state-server.ts'
import { openTcpGate } from './tcp-gate.ts'

const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })
const add = (store: Store, owner: string, bytes = 1): Promise<void> =>
  store.use('write', function* () {
    const old = yield* get('SELECT used_bytes FROM memory_account WHERE owner = ?', owner)
    if (old === undefined) yield* run('INSERT INTO memory_account VALUES (?, ?, 0, 0)', owner, bytes)
    else yield* run('UPDATE memory_account SET used_bytes = ? WHERE owner = ?', Number(old['used_bytes']) + bytes, owner)
  }, 'test')
const sum = async (store: Store, owner: string): Promise<number> => Number((await store.use('read', () => get('SELECT used_bytes FROM memory_account WHERE owner = ?', owner)))?.['used_bytes'] ?? 0)

onServer('the store', (server) => {
  afterEach(() => server.clear())

  it('does all of its steps or none', async () => {
    const store = server.store()
    await expect(store.use('write', function* () {
      yield* run('INSERT INTO memory_account VALUES (?, 1, 0, 0)', 'alice')
      throw new Error('changed its mind')
    })).rejects.toThrow('changed its mind')
    expect(await store.use('read', () => all('SELECT * FROM memory_account'))).toEqual([])
  })

  it('lets one writer at a time under a lock, so nothing that two read is written twice', async () => {
    const stores = [server.store(), server.store()]
    await Promise.all(Array.from({ length: 200 }, (_, n) => add(stores[n % 2] ?? server.store(), 'alice')))
    expect(await sum(server.store(), 'alice')).toBe(200)
  })

  it('gives numbers of 64 bits as numbers, and bytes as bytes', async () => {
    const row = await server.store().use('read', () => get("SELECT CAST(9007199254740991 AS bigint) AS large, decode('00ff', 'hex') AS bytes, CAST(? AS text) AS text", '\u{1F600}'))
    expect(row).toEqual({ large: 9_007_199_254_740_991, bytes: Buffer.from([0, 255]), text: '\u{1F600}' })
  })

  it('says what the operator has to do where the tables are not there, in words that hold nothing of the caller', async () => {
    await expect(server.store().use('read', () => all('SELECT * FROM nothing_there WHERE a = ?', 'secret'))).rejects.toEqual(refusedAs('data.unconfigured'))
  })

  it('refuses within its time where the server cannot be reached', async () => {
    const store = createPostgresStore({ dsn: 'postgresql://nobody@127.0.0.1:1/none', timeoutMs: 400 })
    await expect(add(store, 'alice')).rejects.toEqual(refusedAs('database.unavailable'))
    await store.close()
    await expect(add(store, 'alice')).rejects.toEqual(refusedAs('database.unavailable'))
  })

  it('refuses within its time where a lock is not given, and where the server does not answer', async () => {
    const holder = new pg.Client({ connectionString: server.dsn() })
    await holder.connect()
    await holder.query("begin; select pg_advisory_xact_lock(hashtextextended('arrowhead test', 0))")
    await expect(add(server.store(300), 'alice')).rejects.toEqual(refusedAs('database.timeout'))
    await holder.end()
    const gate = await openTcpGate(server.dsn())
    const store = server.store(300, gate.url)
    await add(store, 'alice')
    gate.stall()
    await expect(add(store, 'alice')).rejects.toMatchObject({ name: 'Refusal', code: expect.stringMatching(/^database\.(timeout|unavailable)$/) })
    await gate.restore()
    await add(store, 'alice')
    expect(await sum(store, 'alice')).toBe(2)
    await gate.close()
  })

  it('loses and doubles nothing while its connections are cut again and again: what was answered is there, once', async () => {
    const gate = await openTcpGate(server.dsn())
    const store = server.store(60_000, gate.url)
    const [done, refused]: [string[], string[]] = [[], []]
    let settled = 0
    await Promise.all(Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 15; n += 1) {
        const owner = `${writer}-${n}`
        await add(store, owner).then(() => done.push(owner), (error: { code?: string }) => refused.push(`${owner} ${String(error.code)}`))
        // The other seven are somewhere in between.
        if ((settled += 1) % 8 === 0) await gate.restore()
      }
    }))
    const kept = new Map((await server.store().use('read', () => all('SELECT owner, used_bytes FROM memory_account'))).map((row) => [row['owner'], row['used_bytes']]))
    expect(done.filter((owner) => kept.get(owner) !== 1)).toEqual([])
    expect([...kept.values()].filter((bytes) => bytes !== 1)).toEqual([])
    // What was lost on its way back was looked up.
    expect(refused).toEqual([])
    await gate.close()
  })

  it('says that a write may have been done where nobody can tell', async () => {
    const gate = await openTcpGate(server.dsn())
    const store = server.store(1_000, gate.url)
    await add(store, 'alice')
    // The answer to the commit is the last thing that comes back.
    gate.holdBack('COMMIT')
    await expect(add(store, 'bob')).rejects.toMatchObject({ code: 'database.unavailable', hint: expect.stringContaining('may have been done') })
    expect(await sum(server.store(), 'bob')).toBe(1)
    await gate.close()
  })

  it('finds out what a commit came to whose answer was lost, and does not do it again', async () => {
    const gate = await openTcpGate(server.dsn())
    const store = server.store(10_000, gate.url)
    await add(store, 'alice')
    gate.holdBack('COMMIT')
    const adding = add(store, 'bob')
    await vi.waitFor(async () => expect(await sum(server.store(), 'bob')).toBe(1), 5_000)
    await gate.restore()
    await adding
    expect(await sum(store, 'bob')).toBe(1)
    await gate.close()
  })

  describe('the copy of the trail', () => {
    const row = (n: number): AuditRow => ({ id: `id-${n}`, at: n, door: 'http', kind: 'tool', component: 'x', caller: 'alice', args: '', outcome: 'ok', code: '', reason: '', ms: 0, trace: '' })
    it('holds every row of every chain once, however often it is begun and whatever the way does', async () => {
      const gate = await openTcpGate(server.dsn())
      const folder = mkdtempSync(join(tmpdir(), 'arrowhead-copy-'))
      const errors: unknown[] = []
      for (const name of ['one', 'two']) {
        const file = join(folder, `${name}.sqlite`)
        const trail = createSqliteTrail({ file, onError: (error) => errors.push(error) })
        const copies = [0, 1].map(() => copyTrail({ file, store: server.store(1_000, gate.url), onError: () => {}, everyMs: 20 }))
        for (let n = 0; n < 1_200; n += 1) {
          trail.append(row(n))
          if (n % 300 === 0) await gate.restore()
          if (n % 50 === 0) await trail.flush()
        }
        await trail.close()
        for (const copy of copies) await copy.close()
        const kept = readTrail({ file, limit: 10_000 })
        const copied = await server.store().use('read', () => all('SELECT seq, prev, hash FROM audit WHERE chain = ? ORDER BY seq', kept[0]?.head.hash ?? ''))
        expect(copied).toEqual(kept.map(({ head, prev }) => ({ seq: head.seq, prev, hash: head.hash })))
        expect(copied).toHaveLength(1_200)
      }
      expect(errors).toEqual([])
      await gate.close()
      rmSync(folder, { recursive: true, force: true })
    })
  })
})
