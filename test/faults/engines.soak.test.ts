/**
 * Do two replicas outlive their engines? Redis and Postgres are killed and started again under load, cut off, and slow:
 * each call ends in success or a clear refusal, nothing is lost or doubled, and all is well again without a restart.
 */

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase, stateSchema } from '../../src/services/database/index.ts'
import { readTrail, verifyTrail } from '../../src/services/audit/index.ts'
import { openTcpGate } from '../adapters/tcp-gate.ts'
import type { TcpGate } from '../adapters/tcp-gate.ts'
import { openDeployment } from '../replicas/deployment.ts'
import type { Deployment, Replica } from '../replicas/deployment.ts'
import { modernCall } from '../replicas/wire.ts'
import { missingEngines, openPostgres, openRedis } from './engines.ts'
import type { Engine } from './engines.ts'
import { isOk, leftOf, startLoad } from './load.ts'
import type { Noted } from './load.ts'

const missing = missingEngines()
if (missing !== undefined) {
  describe('faults of the engines', () => {
    it.skip(`are tested where engines can be started: ${missing}`, () => {})
  })
} else describe('faults of the engines', tests)

/** The limit of a call, and what a busy machine may add before a test says that it hangs. */
const CALL_SECONDS = 20
const HANGS_MS = (CALL_SECONDS + 30) * 1_000
const MANY = '1000000'
const CLIENTS = 6

function tests(): void {
  let engines: { readonly redis: Engine; readonly postgres: Engine }
  let gates: { readonly redis: TcpGate; readonly postgres: TcpGate }
  let deployment: Deployment
  let replicas: readonly Replica[]
  const all: Noted[] = []

  beforeAll(async () => {
    engines = { redis: await openRedis(), postgres: await openPostgres() }
    for (const engine of Object.values(engines)) await engine.start()
    const database = createPostgresDatabase({ writeDsn: engines.postgres.url })
    await database.migrate(stateSchema())
    await database.close()
    gates = { redis: await openTcpGate(engines.redis.url), postgres: await openTcpGate(engines.postgres.url) }
    deployment = await openDeployment({
      ARROWHEAD_REDIS_URL: gates.redis.url, ARROWHEAD_MEMORY_DSN: gates.postgres.url, ARROWHEAD_CALL_TIMEOUT_SECONDS: String(CALL_SECONDS),
      ...Object.fromEntries(['KV_SET', 'KV_GET', 'MEMORY_STORE', 'TASK_SCHEDULE', 'CALCULATE'].map((name) => [`ARROWHEAD_${name}_PER_MINUTE`, MANY])),
      ARROWHEAD_KV_MAX_KEYS: MANY, ARROWHEAD_MEMORY_MAX_ENTRIES_PER_NAMESPACE: MANY, ARROWHEAD_TASK_SCHEDULE_MAX_PER_OWNER: '100000', ARROWHEAD_MEMORY_QUOTA_BYTES: '100000000',
      ARROWHEAD_MAX_CONCURRENT_CALLS: '1000', ARROWHEAD_MAX_CONCURRENT_CALLS_PER_CALLER: '1000',
    })
    replicas = await Promise.all([deployment.start(), deployment.start()])
  })
  afterAll(async () => {
    await deployment?.remove()
    for (const one of [...Object.values(gates ?? {})]) await one.close()
    for (const one of [...Object.values(engines ?? {})]) await one.remove()
  })

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const ready = async (): Promise<unknown> => (await fetch(replicas[0]?.url.replace('/mcp', '/ready') ?? '')).json()
  const works = async (): Promise<void> => {
    for (const { url } of replicas) await expect.poll(async () => isOk(await modernCall(url, 'kv_set', { key: 'after', value: 'all' })), { timeout: 60_000, interval: 250 }).toBe(true)
  }

  /** Load before, during and after what happens. */
  const under = async (happens: () => Promise<void>, mayRefuse: RegExp): Promise<readonly Noted[]> => {
    const load = startLoad(replicas.map(({ url }) => url), CLIENTS)
    await load.settle(40)
    await happens()
    await load.settle(40)
    await load.stop()
    all.push(...load.noted)
    const refused = load.noted.filter(({ said }) => said !== 'ok')
    expect(refused.filter(({ said }) => !mayRefuse.test(said))).toEqual([])
    expect(load.noted.filter(({ tookMs }) => tookMs > HANGS_MS)).toEqual([])
    for (const { child } of replicas) expect([child.exitCode, child.signalCode]).toEqual([null, null])
    await works()
    expect(await leftOf(engines.postgres.url, all)).toEqual({ lost: [], doubled: [] })
    return refused
  }
  const DATABASE = /database\.(?:unavailable|timeout)/

  it('nothing happens to calls while nothing happens', async () => {
    expect(await under(async () => {}, /^$/)).toEqual([])
  })

  it('Postgres is killed and comes back, twice', async () => {
    await under(async () => {
      for (let n = 0; n < 2; n += 1) {
        await engines.postgres.kill()
        await pause(1_000)
        await engines.postgres.start()
        await pause(1_000)
      }
    }, DATABASE)
  })

  it('Postgres stays away for longer than a call may take', async () => {
    const refused = await under(async () => {
      await engines.postgres.kill()
      await pause((CALL_SECONDS + 5) * 1_000)
      await engines.postgres.start()
    }, DATABASE)
    expect(refused.length).toBeGreaterThan(0)
  })

  it('Redis is killed and comes back empty, twice', async () => {
    expect(await under(async () => {
      for (let n = 0; n < 2; n += 1) {
        await engines.redis.kill()
        await pause(1_500)
        await engines.redis.start()
        await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 'ready' })
      }
    }, /^$/)).toEqual([])
  })

  it('both are cut off at once, and slow afterwards', async () => {
    await under(async () => {
      await Promise.all([gates.redis.cut(), gates.postgres.cut()])
      await pause(2_000)
      await Promise.all([gates.redis.restore(), gates.postgres.restore()])
      gates.redis.slow(150)
      gates.postgres.slow(150)
      await pause(5_000)
    }, DATABASE)
    gates.redis.slow(0)
    gates.postgres.slow(0)
  })

  it('both keep their connections and answer nothing for a while', async () => {
    await under(async () => {
      gates.redis.stall()
      gates.postgres.stall()
      await pause(4_000)
      await Promise.all([gates.redis.restore(), gates.postgres.restore()])
    }, DATABASE)
  })

  it('the trail of each replica is whole, and so is its copy', async () => {
    const files = replicas.map(({ dataDir }) => `${dataDir}/audit.sqlite`)
    for (const replica of replicas) await replica.end('SIGTERM')
    const client = new pg.Client({ connectionString: engines.postgres.url })
    await client.connect()
    for (const file of files) {
      const verdict = verifyTrail({ file })
      expect(verdict).toMatchObject({ ok: true })
      const kept = readTrail({ file, limit: 10_000 })
      const { rows } = await client.query('select seq, hash from arrowhead.audit where chain = (select chain from arrowhead.audit where seq = $1 and hash = $2) order by seq', [kept.at(-1)?.head.seq, kept.at(-1)?.head.hash])
      expect(rows).toHaveLength(verdict.ok ? verdict.rows : -1)
    }
    await client.end()
    expect(all.filter(isDone).length).toBeGreaterThan(300)
  })
}

const isDone = ({ said }: Noted): boolean => said === 'ok'
