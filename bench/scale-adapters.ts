/** What a call to each remote adapter costs beside its embedded twin, in the same rounds. Engines are those of the tests. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../src/exits/disk/database.ts'
import type { AuditRow } from '../src/kernel/audit.ts'
import { principal } from '../src/kernel/caller.ts'
import { all } from '../src/kernel/ports/store.ts'
import { copyTrail, createSqliteTrail, logLine } from '../src/services/audit/index.ts'
import { createJailedCorpus } from '../src/services/corpus/index.ts'
import { createPostgresDatabase, createPostgresStore, stateSchema } from '../src/services/database/index.ts'
import { createKeptNonces } from '../src/services/limits/kept-nonces.ts'
import { createMemoryNonces } from '../src/services/limits/memory-nonces.ts'
import { createMemoryRates } from '../src/services/limits/memory-rates.ts'
import { createSlots } from '../src/services/limits/slots.ts'
import { createMemory, createServerMemory } from '../src/services/memory/index.ts'
import { createRedisNonces, createRedisRates, createSharedSlots, openLink } from '../src/services/redis/index.ts'
import { createTasks } from '../src/services/tasks/index.ts'
import { createServerSets, createSqliteSets } from '../src/services/working-sets/index.ts'
import { openBucket } from '../test/adapters/s3-place.ts'
import { inTempDir } from './contestants.ts'
import { callsPerSecond, compared, takeTurns } from './rounds.ts'
import type { Effort, Row } from './rounds.ts'

const clock = { now: () => Date.now(), ticks: () => performance.now() }
const OWNER = 's:bench'
const MEMORY_LIMITS = {
  maxContentBytes: 100_000, maxMetadataBytes: 4_096, maxEntriesPerNamespace: 1e6, maxNamespaces: 50, quotaBytes: 1e9, maxK: 20, maxKeys: 1e6, maxValueBytes: 100_000, maxTtlSeconds: 3_600,
}
const SET_LIMITS = { maxSets: 100, maxItems: 100, maxAllSets: 10_000, maxAllItems: 200_000 }
const TASK_LIMITS = { maxDelaySeconds: 86_400, minRepeatSeconds: 1, maxTimers: 1e6, maxPayloadBytes: 1_000 }
/** Rows that are copied at once in one measurement. */
const COPIED = 2_000
/** A batch of a server that answers some thousand calls a second, and the time after which the trail writes it. */
const [BATCH, BATCH_MS] = [50, 40]
const ROW: AuditRow = { id: 'row-of-16-chars', at: 1_767_225_600_000, door: 'http', kind: 'tool', component: 'calculate', caller: 'caller-1', args: '{expression: string(11)}', outcome: 'ok', code: '', reason: '', ms: 1.234, trace: '' }
const text = 'Where the road forks, the second signpost says how far it is to the next well. '.repeat(4)

type Work = () => unknown

/** One row: microseconds of one call, one after the other, over the engine and over its embedded twin. */
async function price(id: string, { rounds, sliceMs }: Effort, { remote, embedded, baseline }: { readonly remote: Work; readonly embedded: Work; readonly baseline: string }): Promise<Row> {
  const us = (work: Work) => async () => 1e6 / (await callsPerSecond(sliceMs, work))
  await takeTurns(1, { remote: us(remote), embedded: us(embedded) })
  const taken = await takeTurns(rounds, { ours: us(remote), theirs: us(embedded) })
  return compared({ id: `scale.${id}`, baseline, unit: 'µs', better: 'less', ...taken })
}

export async function redisPrices(url: string, effort: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    const link = openLink({ url, onChange: () => {} })
    const [own, rates, slots] = [createMemoryRates(clock), createRedisRates(link, createMemoryRates(clock)), createSlots(1_000, 1_000)]
    const kept = createKeptNonces(() => openDatabase(join(folder, 'state.sqlite')), clock)
    const nonces = createRedisNonces({ link, own: createMemoryNonces(clock, 1e7), clock })
    const shared = createSharedSlots({ link, own: createSlots(1_000, 1_000), maxPerCaller: 1_000 })
    let number = 0
    const ticket = (): string => `${process.pid}-${(number += 1)}`
    const rows = [
      await price('limits', effort, { remote: () => rates.take(OWNER, 1e9, 60_000), embedded: () => own.take(OWNER, 1e9, 60_000), baseline: 'memory' }),
      await price('places', effort, { remote: async () => (await shared.take(OWNER))?.release(), embedded: () => slots.take(OWNER)?.release(), baseline: 'memory' }),
      await price('tickets', effort, { remote: () => nonces.use(ticket(), Date.now() + 1_000), embedded: () => kept.use(ticket(), Date.now() + 1_000), baseline: 'SQLite' }),
    ]
    shared.close()
    await link.close()
    return rows
  })
}

/** A database of the bench's own on the server, gone afterwards. */
async function withDatabase<T>(url: string, use: (dsn: string) => Promise<T>): Promise<T> {
  const name = `bench_${process.pid}`
  const own = new URL(url)
  own.pathname = `/${name}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  try {
    const database = createPostgresDatabase({ writeDsn: own.href })
    await database.migrate(stateSchema())
    await database.close()
    return await use(own.href)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

export const postgresPrices = (url: string, effort: Effort): Promise<readonly Row[]> =>
  withDatabase(url, (dsn) => inTempDir(async (folder) => {
    const store = createPostgresStore({ dsn })
    const [server, file] = [createServerMemory(store, MEMORY_LIMITS, { clock }), createMemory(join(folder, 'memory'), MEMORY_LIMITS, clock)]
    const sets = { server: createServerSets(store, SET_LIMITS), file: createSqliteSets(() => openDatabase(join(folder, 'sets.sqlite')), SET_LIMITS) }
    const tasks = [store, join(folder, 'tasks.sqlite')].map((at) => createTasks({ at, limits: TASK_LIMITS, place: 'bench', clock, onFault: () => {} }))
    const caller = principal('bench', new Set())
    let number = 0
    const next = (): number => (number += 1)
    const both = (call: (memory: typeof server) => unknown) => ({ remote: () => call(server), embedded: () => call(file), baseline: 'SQLite' })
    const noted = { namespace: 'bench', metadata: {} }
    const pinned = [{ kind: 'doc', identifier: 'a.md', note: '' }] as const
    const rows = [
      await price('kv.set', effort, both(({ keyValues }) => keyValues.set(OWNER, { key: `key:${next() % 500}`, value: text, ttlSeconds: 0 }))),
      await price('kv.get', effort, both(({ keyValues }) => keyValues.get(OWNER, `key:${next() % 500}`))),
      await price('memory.store', effort, both(({ memories }) => memories.store(OWNER, { ...noted, content: `${text} ${next()}` }))),
      await price('memory.search', effort, both(({ memories }) => memories.search(OWNER, { namespace: 'bench', query: `signpost ${next() % 50}`, k: 5 }))),
      await price('sets.pin', effort, { remote: () => sets.server.pin(OWNER, 'bench', pinned), embedded: () => sets.file.pin(OWNER, 'bench', pinned), baseline: 'SQLite' }),
      await price('tasks.schedule', effort, {
        remote: () => tasks[0]?.tasks.schedule(caller, { delaySeconds: 3_600, repeatSeconds: 0, payload: { n: next() } }), embedded: () => tasks[1]?.tasks.schedule(caller, { delaySeconds: 3_600, repeatSeconds: 0, payload: { n: next() } }), baseline: 'SQLite',
      }),
      ...(await auditCopy(store, folder, effort)),
    ]
    for (const one of tasks) await one.close()
    await server.close()
    await file.close()
    await sets.file.close()
    await store.close()
    return rows
  }))

/** What a row costs in the file, and in its copy; and how many bytes it takes there, beside its line in the log. */
async function auditCopy(store: ReturnType<typeof createPostgresStore>, folder: string, { rounds }: Effort): Promise<readonly Row[]> {
  const [ours, theirs, bytes]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    const file = join(folder, `audit-${round}.sqlite`)
    const trail = createSqliteTrail({ file, onError: (error) => void process.stderr.write(`${String(error)}\n`) })
    let start = performance.now()
    for (let n = 0; n < COPIED; n += 1) {
      trail.append({ ...ROW, id: `row-of-16-${n}`, at: 1_767_225_600_000 + n, caller: `caller-${round}` })
    }
    await trail.close()
    theirs?.push((performance.now() - start) * 1_000 / COPIED)
    const busy = join(folder, `busy-${round}.sqlite`)
    bytes?.push(await busyBytes(busy, round) / COPIED)
    start = performance.now()
    await copyTrail({ file: busy, store, onError: (error) => void process.stderr.write(`${String(error)}\n`) }).close()
    ours?.push((performance.now() - start) * 1_000 / COPIED)
  }
  const kept = Number((await store.use('read', () => all('SELECT count(*) AS n FROM audit')))[0]?.['n'])
  if (kept !== COPIED * rounds) throw new Error(`${kept} rows were copied instead of ${COPIED * rounds}`)
  const line = logLine(ROW, undefined).length
  return [
    compared({ id: 'scale.audit.copy', baseline: 'the file', unit: 'µs/row', better: 'less', ours: ours ?? [], theirs: theirs ?? [] }),
    compared({ id: 'scale.audit.bytes', baseline: 'log line', unit: 'bytes/row', better: 'less', ours: bytes ?? [], theirs: (bytes ?? []).map(() => line) }),
  ]
}

/** How much as many rows take that come as they do on a busy server, in batches. */
async function busyBytes(file: string, round: number): Promise<number> {
  const trail = createSqliteTrail({ file, onError: (error) => void process.stderr.write(`${String(error)}\n`) })
  for (let n = 0; n < COPIED; n += 1) {
    trail.append({ ...ROW, id: `row-of-16-${n}`, at: 1_767_225_600_000 + n, caller: `caller-${round}` })
    if (n % BATCH === BATCH - 1) await sleep(BATCH_MS)
  }
  await trail.close()
  return bytesOf(file)
}

/** Of the pages, wherever they are: the newest may still be in the write-ahead log. */
function bytesOf(file: string): number {
  const db = openDatabase(file, { access: 'read' })
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(db.get(`PRAGMA ${name}`)?.[name]))
  db.close()
  return (pages ?? 0) * (size ?? 0)
}

const DOCUMENTS = 50

/** Beside a server of the tests, which is slower than a real one: the row says what our side adds to a request, at most. */
export const bucketPrices = (url: string, effort: Effort): Promise<readonly Row[]> =>
  inTempDir(async (folder) => {
    const bucket = await openBucket(url)
    const root = join(folder, 'documents')
    mkdirSync(root)
    const limits = { extensions: ['.md'], maxDocumentBytes: 1e6, quotaBytes: 1e9 }
    const [cached, plain, embedded] = [bucket.open(limits), bucket.open({ ...limits, cacheBytes: 0 }), createJailedCorpus({ root, ledgerFile: join(folder, 'ledger.sqlite'), ...limits })]
    for (const corpus of [plain, embedded]) for (let n = 0; n < DOCUMENTS; n += 1) await corpus.write(`${n}.md`, Buffer.from(text.repeat(10)), { overwrite: true })
    let number = 0
    const path = (): string => `${(number += 1) % DOCUMENTS}.md`
    const rows = [
      await price('corpus.read', effort, { remote: () => plain.read(path()), embedded: () => embedded.read(path()), baseline: 'folder' }),
      await price('corpus.read.again', effort, { remote: () => cached.read(path()), embedded: () => embedded.read(path()), baseline: 'folder' }),
      await price('corpus.write', effort, { remote: () => plain.write(path(), Buffer.from(text), { overwrite: true }), embedded: () => embedded.write(path(), Buffer.from(text), { overwrite: true }), baseline: 'folder' }),
    ]
    for (const corpus of [cached, plain, embedded]) await corpus.close()
    await bucket.remove()
    return rows
  })
