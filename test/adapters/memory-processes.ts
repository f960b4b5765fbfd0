/** Processes that use one owner's memory at once, or are killed while they do, and what must hold afterwards. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '../../src/exits/disk/database.ts'
import { all, get } from '../../src/kernel/ports/store.ts'
import type { Store } from '../../src/kernel/ports/store.ts'
import { createMemory, createServerMemory } from '../../src/services/memory/index.ts'
import type { MemoryLimits, OpenMemory } from '../../src/services/memory/index.ts'
import { buildScript } from './processes.ts'

const OWNER = 's:alice'
const LIMITS: MemoryLimits = {
  maxContentBytes: 10_000, maxMetadataBytes: 1000, maxEntriesPerNamespace: 100_000, maxNamespaces: 50, quotaBytes: 1e9, maxK: 20, maxKeys: 100_000, maxValueBytes: 10_000,
  maxTtlSeconds: 3600,
}

/**
 * Does so many operations of every kind, some on what all processes share, and prints each one that was
 * acknowledged: what it did, to what, and what is there from then on.
 */
const USER = `
import { writeSync } from 'node:fs'
import { createMemory, createServerMemory } from '../../src/services/memory/index.ts'
import { createPostgresStore } from '../../src/services/database/index.ts'
const [, , root, name, count, limits] = process.argv
const clock = { now: () => Date.now() }
const store = root.startsWith('postgresql') ? createPostgresStore({ dsn: root, timeoutMs: 60_000 }) : undefined
const { memories, keyValues, close } = store ? createServerMemory(store, JSON.parse(limits), { clock }) : createMemory(root, JSON.parse(limits), clock)
const owner = '${OWNER}'
const say = (...words) => writeSync(1, words.join(' ') + '\\n')
const ids = []
const steps = [
  async (n) => { await keyValues.set(owner, { key: name + ':' + n % 20, value: name + '-' + n, ttlSeconds: 0 }); say('set', name + ':' + n % 20, name + '-' + n) },
  async (n) => { await keyValues.set(owner, { key: 'shared:' + n % 7, value: name + '-' + n, ttlSeconds: 0 }); say('shared', 'shared:' + n % 7, name + '-' + n) },
  async (n) => { const { id, status } = await memories.store(owner, { namespace: 'own', content: 'note ' + name + ' ' + n, metadata: { n } }); ids.push(id); say('stored', id, status) },
  async (n) => { const { status } = await memories.store(owner, { namespace: 'shared', content: 'fact ' + n, metadata: {} }); say('fact', n, status) },
  async (n) => { const id = ids.at(-1); if (id) { await memories.store(owner, { namespace: 'own', content: 'changed ' + name + ' ' + n, metadata: {}, id }); say('changed', id, name + '-' + n) } },
  async (n) => { const id = ids.length > 5 ? ids.shift() : undefined; if (id) { await memories.remove(owner, 'own', id); say('removed', id, '-') } },
  async (n) => { await keyValues.remove(owner, name + ':' + n % 20); say('unset', name + ':' + n % 20, '-') },
  async () => { await memories.search(owner, { namespace: 'own', query: name + ' note', k: 5 }); say('searched', '-', '-') },
]
for (let n = 0; n < Number(count); n += 1) {
  try { await steps[n % steps.length](n) } catch (error) { say('refused', error.code ?? String(error), '-') }
}
await close()
await store?.close()
`

export interface MemoryUsers {
  start(root: string, name: string, count: number, limits?: Partial<MemoryLimits>): ReturnType<Awaited<ReturnType<typeof buildScript>>['start']>
  remove(): void
}

export async function buildUsers(): Promise<MemoryUsers> {
  const script = await buildScript(USER)
  return { start: (root, name, count, limits = {}) => script.start(root, name, count, JSON.stringify({ ...LIMITS, ...limits })), remove: () => script.remove() }
}

/** Sums, counted anew, are those on record. */
function expectExactAccount(root: string): number {
  const [folder = ''] = readdirSync(root)
  const db = openDatabase(join(root, folder, 'memory.sqlite'))
  try {
    const sql = `SELECT (SELECT coalesce(sum(length(content) + length(metadata)), 0) FROM memory) + (SELECT coalesce(sum(length(key) + length(content)), 0) FROM value) AS bytes,
      (SELECT count(*) FROM value) AS values_there, (SELECT count(DISTINCT namespace) FROM memory) AS spaces, account.* FROM account`
    const { bytes, values_there: keys, spaces, ...account } = db.get(sql) ?? {}
    expect(account).toMatchObject({ used_bytes: bytes, keys, namespaces: spaces })
    expect(db.all('SELECT n.entries, count(*) AS counted, n.words, sum(m.words) AS summed FROM namespace n JOIN memory m ON m.namespace = n.number GROUP BY n.number').every((row) => row['entries'] === row['counted'] && row['words'] === row['summed'])).toBe(true)
    expect(db.get('SELECT count(*) AS n FROM posting WHERE memory NOT IN (SELECT number FROM memory)')).toEqual({ n: 0 })
    expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    return Number(bytes)
  } finally {
    db.close()
  }
}

/** The same on a server. */
async function expectExactServer(store: Store): Promise<number> {
  const sql = `SELECT (SELECT coalesce(sum(length(content) + length(metadata)), 0) FROM memory) + (SELECT coalesce(sum(length(key) + length(content)), 0) FROM memory_value) AS bytes,
    (SELECT count(*) FROM memory_value) AS values_there, (SELECT count(DISTINCT space) FROM memory) AS spaces, used_bytes, keys, namespaces FROM memory_account`
  const row = (await store.use('read', () => get(sql))) ?? {}
  const sums = await store.use('read', () => all('SELECT entries, words, (SELECT count(*) FROM memory WHERE space = number_of) AS counted, (SELECT sum(words) FROM memory WHERE space = number_of) AS summed FROM (SELECT *, number AS number_of FROM memory_space) AS spaces'))
  expect([row['used_bytes'], row['keys'], row['namespaces']]).toEqual([row['bytes'], row['values_there'], row['spaces']].map(Number))
  expect(sums.every((one) => one['entries'] === one['counted'] && one['words'] === one['summed'])).toBe(true)
  return Number(row['bytes'])
}

/** So many processes with so many mixed operations each, over one server. */
export async function useServerTogether(users: MemoryUsers, { dsn, store }: MemoryServer, { processes, count }: { readonly processes: number; readonly count: number }): Promise<void> {
  const every = Array.from({ length: processes }, (_, index) => users.start(dsn, `p${index}`, count))
  expect(await Promise.all(every.map(({ ended }) => ended))).toEqual(every.map(() => ({ code: 0, errors: '' })))
  const outputs = every.map((each) => each.lines())
  expect(outputs.flat().filter((line) => line.startsWith('refused'))).toEqual([])
  await expectAcknowledged(createServerMemory(store, LIMITS, { clock: { now: () => Date.now() } }), outputs)
  await expectExactServer(store)
}

/** The same with room for a part of it: never over. */
export async function fillServerTogether(users: MemoryUsers, { dsn, store }: MemoryServer, { processes, count }: { readonly processes: number; readonly count: number }): Promise<void> {
  const every = Array.from({ length: processes }, (_, index) => users.start(dsn, `p${index}`, count, TIGHT))
  expect(await Promise.all(every.map(({ ended }) => ended))).toEqual(every.map(() => ({ code: 0, errors: '' })))
  const refused = every.flatMap((each) => each.lines()).filter((line) => line.startsWith('refused'))
  expect(new Set(refused)).toEqual(new Set(['refused memory.full -']))
  expect(await expectExactServer(store)).toBeLessThanOrEqual(TIGHT.quotaBytes)
}

export interface MemoryServer {
  readonly dsn: string
  readonly store: Store
}

const TIGHT = { quotaBytes: 600, maxKeys: 20, maxEntriesPerNamespace: 30 }

/** Everything that was acknowledged is there, in its last state; for a key that all share, in one of its states. */
async function expectAcknowledged(memory: OpenMemory, outputs: readonly (readonly string[])[]): Promise<void> {
  const stored = new Set((await memory.memories.list(OWNER, 'own')).map(({ id }) => id))
  const sharedStates = new Map<string, Set<string>>()
  const created = new Map<string, number>()
  for (const lines of outputs) {
    const keys = new Map<string, string | undefined>()
    const own = new Map<string, boolean>()
    for (const [what = '', which = '', state = ''] of lines.map((line) => line.split(' '))) {
      if (what === 'set') keys.set(which, state)
      if (what === 'unset') keys.set(which, undefined)
      if (what === 'shared') sharedStates.set(which, (sharedStates.get(which) ?? new Set()).add(state))
      if (what === 'stored' || what === 'changed') own.set(which, true)
      if (what === 'removed') own.set(which, false)
      if (what === 'fact' && state === 'created') created.set(which, (created.get(which) ?? 0) + 1)
    }
    for (const [key, value] of keys) expect([key, (await memory.keyValues.get(OWNER, key))?.value]).toEqual([key, value])
    for (const [id, isThere] of own) expect([id, stored.has(id)]).toEqual([id, isThere])
  }
  for (const [key, states] of sharedStates) expect(states).toContain((await memory.keyValues.get(OWNER, key))?.value)
  expect([...created.values()].every((times) => times === 1)).toBe(true)
  expect(await memory.memories.list(OWNER, 'shared')).toHaveLength(created.size)
  await memory.close()
}

const scratch = (): string => mkdtempSync(join(tmpdir(), 'arrowhead-memory-'))

/** So many processes with so many mixed operations each. */
export async function useTogether(users: MemoryUsers, processes: number, count: number): Promise<void> {
  const root = scratch()
  try {
    const all = Array.from({ length: processes }, (_, index) => users.start(root, `p${index}`, count))
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => ({ code: 0, errors: '' })))
    const outputs = all.map((each) => each.lines())
    expect(outputs.flat().filter((line) => line.startsWith('refused'))).toEqual([])
    await expectAcknowledged(createMemory(root, LIMITS, { now: () => Date.now() }), outputs)
    expectExactAccount(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The same with room for a part of it: full to the last byte that fits, and never over. */
export async function fillTogether(users: MemoryUsers, processes: number, count: number): Promise<void> {
  const root = scratch()
  const limits = TIGHT
  try {
    const all = Array.from({ length: processes }, (_, index) => users.start(root, `p${index}`, count, limits))
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => ({ code: 0, errors: '' })))
    const refused = all.flatMap((each) => each.lines()).filter((line) => line.startsWith('refused'))
    expect(new Set(refused)).toEqual(new Set(['refused memory.full -']))
    expect(expectExactAccount(root)).toBeLessThanOrEqual(limits.quotaBytes)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Kills a process at a random moment, again and again, and looks at what it leaves. */
export async function killUsers(users: MemoryUsers, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const root = scratch()
    const user = users.start(root, 'p', 1_000_000)
    const wanted = 1 + Math.floor(Math.random() * 200)
    while (user.lines().length < wanted) await new Promise((resolve) => setTimeout(resolve, 1))
    user.child.kill('SIGKILL')
    expect(await user.ended).toEqual({ code: null, errors: '' })
    // The last operation may have been done and not told.
    await expectAcknowledgedOrNext(root, user.lines())
    expectExactAccount(root)
    rmSync(root, { recursive: true, force: true })
  }
}

/** As `expectAcknowledged`, for all but what the operation under way may have touched. */
async function expectAcknowledgedOrNext(root: string, lines: readonly string[]): Promise<void> {
  const memory = createMemory(root, LIMITS, { now: () => Date.now() })
  const values = new Map<string, string>()
  for (const [what, which = '', state = ''] of lines.map((line) => line.split(' '))) {
    if (what === 'set' || what === 'shared') values.set(which, state)
    if (what === 'unset') values.delete(which)
  }
  let other = 0
  for (const [key, value] of values) if ((await memory.keyValues.get(OWNER, key))?.value !== value) other += 1
  expect(other).toBeLessThanOrEqual(1)
  await memory.close()
}
