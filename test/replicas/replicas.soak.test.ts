/** Do two replicas behind a proxy, without affinity, serve as one? Needs Redis, Postgres, an S3-speaking server and nginx. */

import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onServer } from '../adapters/state-server.ts'
import { openBucket } from '../adapters/s3-place.ts'
import type { S3World } from '../adapters/s3-place.ts'
import { openTcpGate } from '../adapters/tcp-gate.ts'
import type { TcpGate } from '../adapters/tcp-gate.ts'
import { openDeployment } from './deployment.ts'
import type { Deployment, Replica } from './deployment.ts'
import { handshake, legacyCall, modernCall, reply } from './wire.ts'
import type { Answered } from './wire.ts'

const [REDIS, S3] = [process.env['ARROWHEAD_TEST_REDIS'], process.env['ARROWHEAD_TEST_S3']]

const hasNginx = (): boolean => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

if (REDIS === undefined || S3 === undefined || !hasNginx()) {
  describe('two replicas', () => {
    it.skip('are tested where ARROWHEAD_TEST_REDIS and ARROWHEAD_TEST_S3 name engines (scripts/test-services.sh start) and nginx is installed', () => {})
  })
} else onServer('two replicas', (server) => tests({ redis: REDIS, s3: S3, dsn: server.dsn }))

const structured = ({ message }: Answered): Record<string, unknown> => (message.result?.['structuredContent'] ?? {}) as Record<string, unknown>
const isOk = (answer: Answered): boolean => answer.status === 200 && answer.message.result !== undefined && answer.message.result['isError'] !== true
const codeOf = (answer: Answered): string => JSON.stringify(answer.message.result?.['content'] ?? answer.message.error ?? '')

function tests({ redis, s3, dsn }: { readonly redis: string; readonly s3: string; readonly dsn: () => string }): void {
  let deployment: Deployment
  let bucket: S3World
  let gates: { readonly redis: TcpGate; readonly postgres: TcpGate }
  let [a, b]: Replica[] = []
  const [one, other] = [() => a?.url ?? '', () => b?.url ?? '']

  beforeAll(async () => {
    bucket = await openBucket(s3)
    gates = { redis: await openTcpGate(redis), postgres: await openTcpGate(dsn()) }
    deployment = await openDeployment({
      ARROWHEAD_REDIS_URL: gates.redis.url, ARROWHEAD_MEMORY_DSN: gates.postgres.url,
      ARROWHEAD_DOCS_S3_URL: `${bucket.url}/team`, ARROWHEAD_DOCS_S3_ACCESS_KEY_ID: 'test', ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY: 'test',
      ARROWHEAD_KV_SET_PER_MINUTE: '1000000', ARROWHEAD_KV_GET_PER_MINUTE: '1000000', ARROWHEAD_MEMORY_STORE_PER_MINUTE: '1000000', ARROWHEAD_CALCULATE_PER_MINUTE: '100', ARROWHEAD_KV_MAX_KEYS: '100000',
      ARROWHEAD_MAX_CONCURRENT_CALLS: '2000', ARROWHEAD_MAX_CONCURRENT_CALLS_PER_CALLER: '2000', ARROWHEAD_STATELESS_HTTP: 'false',
    })
    ;[a, b] = await Promise.all([deployment.start(), deployment.start()])
    if (a && b) await deployment.route([a, b])
  })
  afterAll(async () => {
    await deployment.remove()
    await gates.redis.close()
    await gates.postgres.close()
    await bucket.remove()
  })

  it('any call may go to any of them, in both eras', async () => {
    const session = await handshake(deployment.url)
    for (let n = 0; n < 20; n += 1) {
      const set = { key: `k${n}`, value: `v${n}` }
      expect(isOk(n % 2 === 0 ? await modernCall(deployment.url, 'kv_set', set) : await legacyCall(deployment.url, session, { name: 'kv_set', args: set }))).toBe(true)
      for (const url of [one(), other()]) expect(codeOf(await modernCall(url, 'kv_get', { key: `k${n}` }))).toContain(`v${n}`)
      expect(isOk(await legacyCall(n % 2 === 0 ? one() : other(), session, { name: 'kv_get', args: { key: `k${n}` } }))).toBe(true)
    }
    expect(isOk(await modernCall(one(), 'doc_write', { path: 'a.md', content: 'from one' }))).toBe(true)
    expect(structured(await modernCall(other(), 'doc_read', { path: 'a.md' }))['content'] ?? codeOf(await modernCall(other(), 'doc_read', { path: 'a.md' }))).toContain('from one')
  })

  it('a question of one is answered at the other, on the handshake leg', async () => {
    const session = await handshake(one())
    const statuses: number[] = []
    const answer = await legacyCall(one(), session, { name: 'doc_write', args: { path: 'a.md', content: 'replaced', overwrite: true }, ask: async ({ id }) => statuses.push(await reply(other(), session, id)) })
    expect(statuses).toEqual([202])
    expect(isOk(answer)).toBe(true)
    expect(await bucket.text('a.md')).toBe('replaced')
    expect(await reply(other(), session, 'q-AAAAAAAAAAAAAAAA-AAAAAAAAAAAAAAAA')).toBe(400)
  })

  it('a ticket of one is good at the other, once', async () => {
    const args = { path: 'a.md', content: 'replaced again', overwrite: true }
    const { message } = await modernCall(one(), 'doc_write', args)
    const { requestState, inputRequests } = message.result as { requestState: string; inputRequests: Record<string, unknown> }
    const again = { requestState, inputResponses: Object.fromEntries(Object.keys(inputRequests).map((name) => [name, { action: 'accept', content: { approve: true } }])) }
    const tries = await Promise.all([one(), other(), one(), other()].map((url) => modernCall(url, 'doc_write', args, again)))
    expect(tries.filter(isOk)).toHaveLength(1)
    expect(tries.filter((answer) => codeOf(answer).includes('consent.ticket'))).toHaveLength(3)
  })

  it('limits are exact under 500 calls at once', async () => {
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 500 }, () => modernCall(deployment.url, 'calculate', { expression: '1+1' })))
    const refilled = ((performance.now() - from) / 60_000) * 100
    const granted = answers.filter(isOk).length
    expect(granted).toBeGreaterThanOrEqual(100)
    expect(granted).toBeLessThanOrEqual(100 + Math.ceil(refilled))
    expect(answers.filter((answer) => !isOk(answer) && !codeOf(answer).includes('quota.spent'))).toEqual([])
  })

  /** Clients that write without end; each acknowledged write is noted. */
  const load = (clients: number) => {
    const [written, failed]: [Map<string, string>, Answered[]] = [new Map(), []]
    let [going, count] = [true, 0]
    const all = Array.from({ length: clients }, async (_, client) => {
      for (let n = 0; going; n += 1) {
        const set = { key: `load-${client}-${n % 20}-${count}`, value: `${n}` }
        const answer = await modernCall(deployment.url, 'kv_set', set).catch((error: unknown): Answered => ({ status: 0, session: null, message: { error: { message: String(error) } } }))
        if (isOk(answer)) written.set(set.key, set.value)
        else failed.push(answer)
        count += 1
      }
    })
    return {
      failed,
      written,
      async stop() {
        going = false
        await Promise.all(all)
      },
    }
  }
  const lost = async (written: ReadonlyMap<string, string>): Promise<string[]> => {
    const gone: string[] = []
    for (const [key, value] of written) if (!String(structured(await modernCall(one(), 'kv_get', { key }))['content']).includes(value)) gone.push(key)
    return gone
  }
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  it('a rolling restart fails no call', async () => {
    const { failed, written, stop } = load(4)
    for (const which of ['a', 'b'] as const) {
      const [old, stays] = which === 'a' ? [a, b] : [b, a]
      await pause(500)
      if (stays) await deployment.route([stays])
      await old?.end('SIGTERM')
      const fresh = await deployment.start()
      if (stays) await deployment.route([fresh, stays])
      if (which === 'a') a = fresh
      else b = fresh
    }
    await pause(500)
    await stop()
    expect(failed).toEqual([])
    expect(written.size).toBeGreaterThan(50)
    expect(await lost(written)).toEqual([])
  })

  it('a replica that is killed takes no acknowledged write with it', async () => {
    const { failed, written, stop } = load(4)
    await pause(1_000)
    await b?.end('SIGKILL')
    await pause(1_000)
    await stop()
    // Calls that were inside it fail; the proxy sends all others on.
    expect(failed.length).toBeLessThanOrEqual(4)
    expect(await lost(written)).toEqual([])
    b = await deployment.start()
    if (a) await deployment.route([a, b])
  })

  it('an outage of Postgres refuses clearly, loses nothing, and is over without a restart', async () => {
    const { failed, written, stop } = load(4)
    await pause(500)
    await gates.postgres.cut()
    await pause(3_000)
    await gates.postgres.restore()
    await pause(3_000)
    await stop()
    expect(failed.filter((answer) => !codeOf(answer).includes('database.'))).toEqual([])
    expect(await lost(written)).toEqual([])
    expect(isOk(await modernCall(deployment.url, 'kv_set', { key: 'after', value: 'all' }))).toBe(true)
  })

  it('an outage of Redis is survived: calls go on, tickets refuse, /ready says degraded, and it is over without a restart', async () => {
    const ready = async (): Promise<unknown> => (await fetch(one().replace('/mcp', '/ready'))).json()
    expect(await ready()).toEqual({ status: 'ready' })
    const { failed, stop } = load(4)
    await gates.redis.cut()
    await pause(1_500)
    expect(await ready()).toEqual({ status: 'degraded', parts: ['redis'] })
    const args = { path: 'a.md', content: 'while away', overwrite: true }
    const { message } = await modernCall(one(), 'doc_write', args)
    const { requestState, inputRequests } = message.result as { requestState: string; inputRequests: Record<string, unknown> }
    const answer = await modernCall(one(), 'doc_write', args, { requestState, inputResponses: Object.fromEntries(Object.keys(inputRequests).map((name) => [name, { action: 'accept', content: { approve: true } }])) })
    expect(codeOf(answer)).toContain('consent.ticket')
    await gates.redis.restore()
    await expect.poll(ready, { timeout: 15_000 }).toEqual({ status: 'ready' })
    await stop()
    expect(failed).toEqual([])
    expect(a?.log()).toContain('redis is away')
    expect(a?.log()).toContain('redis is back')
  })
}
