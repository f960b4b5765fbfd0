import { expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { refusal } from '../kernel/refusal.ts'
import { diagnoseHostNames, diagnoseRedis, diagnoseState } from './diagnose-shared.ts'

const settings = (more: object): Settings => loadSettings({ file: JSON.stringify(more) }).values
const STATE_KEY = Buffer.alloc(32, 7).toString('base64')

type Open = NonNullable<Parameters<typeof diagnoseRedis>[1]>
type OpenState = NonNullable<Parameters<typeof diagnoseState>[1]>

/** A link to a Redis that answers as it is told; undefined is how a link says that nobody answered. */
const linked = (answers: object): Open => () => ({
  ask: async (work: (redis: never) => Promise<unknown>) => work({ ...well(), ...answers } as never).catch(() => undefined), close: async () => {},
}) as unknown as ReturnType<Open>

const at = (ms: number) => async (): Promise<readonly string[]> => [String(Math.floor(ms / 1_000)), '0']
const policy = (name: string) => async (): Promise<readonly string[]> => ['maxmemory-policy', name]
const well = (): object => ({ ping: async () => 'PONG', config: policy('noeviction'), time: at(Date.now()) })
const no = (): Promise<never> => Promise.reject(new Error('no'))

it.each<[string, object, object, string, string]>([
  ['that is well', {}, { stateKey: STATE_KEY }, 'ok', 'shared'],
  ['that forgets', { config: policy('allkeys-lru') }, { stateKey: STATE_KEY }, 'warn', 'allkeys-lru'],
  ['whose clock is off', { time: at(Date.now() - 60_000) }, { stateKey: STATE_KEY }, 'warn', 'clock of Redis'],
  ['that may not be asked', { config: no, time: no }, { stateKey: STATE_KEY }, 'ok', 'shared'],
  ['of replicas with keys of their own', {}, {}, 'warn', 'other keys'],
  ['that does not answer', { ping: no }, {}, 'fail', 'does not answer'],
])('says of a Redis %s what is to be known', async (_, answers, more, state, what) => {
  expect(await diagnoseRedis(settings({ redisUrl: 'redis://redis.internal:6379/0', ...more }), linked(answers))).toMatchObject({ state, what: expect.stringContaining(what) })
})

it('says that nothing listens where Redis should, and nothing where none is set', async () => {
  expect(await diagnoseRedis(settings({ redisUrl: 'redis://127.0.0.1:1/0' }))).toMatchObject({ state: 'fail', next: expect.stringContaining('ARROWHEAD_REDIS_URL') })
  expect(await diagnoseRedis(settings({}))).toMatchObject({ state: 'ok' })
})

it.each<[string, () => Promise<unknown>, string, string]>([
  ['has its tables', async () => ({ rows: [] }), 'ok', 'has its tables'],
  ['has none yet', () => Promise.reject(refusal('data.unconfigured')), 'fail', 'data.unconfigured'],
  ['does not answer', () => Promise.reject(refusal('database.unavailable')), 'fail', 'database.unavailable'],
])('says that the server of the state %s', async (_, use, state, what) => {
  const open = (() => ({ store: { use }, close: async () => {} })) as unknown as OpenState
  expect(await diagnoseState(settings({ memoryDsn: 'postgresql://app@state.internal/arrowhead' }), open)).toMatchObject({ state, what: expect.stringContaining(what) })
  expect(await diagnoseState(settings({}))).toMatchObject({ state: 'ok' })
})

it.each([
  [{ allowedHosts: ['mcp.example'] }, 'ok'],
  [{ allowedHosts: ['other.example'] }, 'warn'],
  [{ host: '127.0.0.1' }, 'warn'],
])('says whether requests by the public name pass with %j', (more, state) => {
  expect(diagnoseHostNames(settings({ transport: 'http', dangerouslyAllowInsecureHttp: true, serverPublicUrl: 'https://mcp.example', ...more }))).toMatchObject({ state })
})
