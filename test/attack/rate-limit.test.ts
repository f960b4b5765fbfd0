/**
 * Calls over the rate do not run, whatever they are dressed in, and calls within it do. Each scenario goes through
 * the HTTP door, where a caller is a token's subject and nothing else, and through the library door where it can.
 *
 * Without identity all callers are the one local caller, with one bucket: what splits by connection or address over HTTP
 * is tested here to share it, and over stdio there is one connection to begin with.
 */

import { existsSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool, modern, rpc, send } from '../../src/doors/http/door.fixture.ts'
import type { SendOptions } from '../../src/doors/http/door.fixture.ts'
import { codeOf } from '../guarantees/probes.ts'
import { LIMIT, SCOPE, openWorld } from './rate-world.ts'
import type { World } from './rate-world.ts'

const LARGE = 'x'.repeat(100_000)
const covered = new Set<string>()
/** A test that stands for lines of the shared scenarios. */
const scenario = (ids: readonly number[], title: string): string => {
  for (const id of ids) covered.add(`ratelimit-${String(id).padStart(3, '0')}`)
  return title
}

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

interface Called {
  readonly as?: string
  readonly tool?: string
  readonly args?: object
  readonly id?: string | number
  readonly http?: SendOptions
}

type Way = (called?: Called) => Promise<string>

const overHttp: Way = async ({ as = 'ann', tool = 'probe', args = {}, id = 1, http = {} } = {}) => {
  const { json, status } = await send(world.port, { body: callTool(tool, args, id), ...http, headers: { authorization: `Bearer ${as}`, ...http.headers } })
  return codeIn(json) ?? String(status)
}

const inLibrary: Way = async ({ as = 'ann', tool = 'probe', args = {} } = {}) =>
  codeOf(await world.house.as({ subject: as, scopes: [SCOPE] }).outcome({ kind: 'tool', name: tool, args }))

/** What an answer came to: `ok`, `fault`, or a refusal's code, however it is wrapped. */
function codeIn(json: unknown): string | undefined {
  const { result, error } = json as { result?: { isError?: boolean; content?: readonly { text: string }[] }; error?: { data?: { code?: string } } }
  if (error) return error.data?.code
  if (result?.isError !== true) return 'ok'
  const text = result.content?.[0]?.text ?? ''
  return text.startsWith('internal error') ? 'fault' : text.slice(0, text.indexOf(':'))
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

async function inTurn(count: number, call: (at: number) => Promise<string>): Promise<string[]> {
  const codes: string[] = []
  for (let at = 0; at < count; at += 1) codes.push(await call(at))
  return codes
}

/** So many go through, and then none. */
const firstOnly = (count: number, of: number, code = 'ok'): string[] => [...times(count, () => code), ...times(of - count, () => 'quota.spent')]

const WAYS: readonly (readonly [string, Way])[] = [['over HTTP', overHttp], ['in the library', inLibrary]]

describe.each(WAYS)('a caller %s', (_name, call) => {
  it(scenario([1], 'gets ten calls of ten a minute and not the eleventh'), async () => {
    expect(await inTurn(LIMIT + 1, () => call())).toEqual(firstOnly(LIMIT, LIMIT + 1))
    expect(world.runs).toHaveLength(LIMIT)
  })

  it(scenario([20, 21], 'gets one call, and exactly the limit'), async () => {
    expect(await inTurn(1, () => call())).toEqual(['ok'])
    expect(await inTurn(LIMIT - 1, () => call())).toEqual(times(LIMIT - 1, () => 'ok'))
  })

  it(scenario([26], 'gets all ten when they come at once'), async () => {
    expect(await Promise.all(times(LIMIT, () => call()))).toEqual(times(LIMIT, () => 'ok'))
  })

  it('gets ten of thirty that come at once', async () => {
    const codes = await Promise.all(times(30, (id) => call({ id })))
    expect(codes.toSorted()).toEqual(firstOnly(LIMIT, 30).toSorted())
    expect(world.runs).toHaveLength(LIMIT)
  })

  it(scenario([17], 'is counted for calls that fail, and for ones with wrong input'), async () => {
    expect(await inTurn(LIMIT + 1, () => call({ tool: 'broken' }))).toEqual(firstOnly(LIMIT, LIMIT + 1, 'fault'))
    expect(await inTurn(LIMIT + 1, () => call({ args: { text: 7 } }))).toEqual(firstOnly(LIMIT, LIMIT + 1, 'input.invalid'))
  })

  it(scenario([8], 'gains nothing by the tool\u2019s name in another case, which is one more unknown name'), async () => {
    const spelled = (at: number): string => [...'probe'].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join('')
    const codes = await inTurn(30, (at) => call({ tool: spelled(at) }))
    expect(codes).toEqual(['ok', ...times(LIMIT, () => 'component.unknown'), ...times(30 - LIMIT - 1, () => 'quota.spent')])
    expect(await inTurn(LIMIT, () => call())).toEqual(firstOnly(LIMIT - 1, LIMIT))
    expect(world.runs).toHaveLength(LIMIT)
  })

  it(scenario([9], 'gains nothing by arguments that no tool knows, or that differ each time'), async () => {
    expect(await inTurn(15, (at) => call({ args: { [`made_up_${at}`]: at } }))).toEqual(firstOnly(LIMIT, 15, 'input.invalid'))
    expect(await inTurn(15, (at) => call({ as: 'bob', args: { text: `text ${at}` } }))).toEqual(firstOnly(LIMIT, 15))
  })

  it(scenario([29], 'is not held up by ninety-nine others'), async () => {
    expect(await Promise.all(times(100, (at) => call({ as: `user${at}` })))).toEqual(times(100, () => 'ok'))
    expect(new Set(world.runs).size).toBe(100)
  })

  it(scenario([31], 'gets all ten with a second between them, and more as the bucket refills'), async () => {
    const codes = await inTurn(LIMIT, async () => {
      const code = await call()
      world.clock.pass(1_000)
      return code
    })
    expect(codes).toEqual(times(LIMIT, () => 'ok'))
    // Ten seconds refill one of ten a minute, and two thirds of the next.
    expect(await inTurn(2, () => call())).toEqual(['ok', 'quota.spent'])
    world.clock.pass(2_000)
    expect(await call()).toBe('ok')
  })

  it(scenario([32], 'gets all ten however large they are'), async () => {
    expect(await inTurn(LIMIT + 1, () => call({ args: { text: LARGE } }))).toEqual(firstOnly(LIMIT, LIMIT + 1))
  })

  it('takes nothing from a neighbour, and neither name can be made into the other\u2019s', async () => {
    await inTurn(LIMIT + 5, () => call({ as: 'ann' }))
    expect(await call({ as: 'annb' })).toBe('ok')
    expect(await call({ as: 'an' })).toBe('ok')
    expect(await call({ as: 'local' })).toBe('ok')
    expect(await call({ as: 'anonymous' })).toBe('ok')
  })
})

describe('over HTTP, a caller', () => {
  const HEADERS: readonly (readonly [header: string, value: (at: number) => string, ids?: readonly number[]])[] = [
    ['X-Forwarded-For', (at) => `198.51.100.${at}, 203.0.113.${at}`, [2, 28]],
    ['X-Real-IP', (at) => `198.51.100.${at}`, [3]],
    ['User-Agent', (at) => `client/${at}`, [5]],
    ['Forwarded', (at) => `for=198.51.100.${at}`],
    ['CF-Connecting-IP', (at) => `198.51.100.${at}`],
    ['True-Client-IP', (at) => `198.51.100.${at}`],
    ['X-Client-IP', (at) => `198.51.100.${at}`],
    ['X-Request-ID', (at) => `request-${at}`],
    ['Cookie', (at) => `session=${at}`],
    ['Traceparent', (at) => `00-${String(at).padStart(32, '1')}-00f067aa0ba902b7-01`],
  ]

  it.each(HEADERS.map(([header, value, ids = []]) => [scenario(ids, header), value] as const))('gains nothing by another %s each time, and loses nothing by an honest one', async (header, value) => {
    const codes = await inTurn(30, (at) => overHttp({ http: { headers: { [header]: value(at) } } }))
    expect(codes).toEqual(firstOnly(LIMIT, 30))
    expect(world.runs).toHaveLength(LIMIT)
    expect(await inTurn(5, (at) => overHttp({ as: 'bob', http: { headers: { [header]: value(at) } } }))).toEqual(times(5, () => 'ok'))
  })

  it(scenario([7], 'gains nothing by other request ids'), async () => {
    const ids = (at: number): string | number => (at % 2 === 0 ? at : `id-${at}`)
    expect(await inTurn(30, (at) => overHttp({ id: ids(at) }))).toEqual(firstOnly(LIMIT, 30))
  })

  it('gains nothing by other tokens of the same subject, nor by other connections', async () => {
    const agents = times(3, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const codes = await inTurn(30, (at) => overHttp({ as: `ann.${at}`, http: at % 4 === 3 ? {} : { agent: agents[at % 4] ?? new Agent() } }))
    expect(codes).toEqual(firstOnly(LIMIT, 30))
    for (const agent of agents) agent.destroy()
  })

  it('gains nothing by speaking both revisions of the protocol, or by a query', async () => {
    const codes = await inTurn(30, (at) => {
      const call = modern('tools/call', { name: 'probe', arguments: {} })
      return at % 2 === 0 ? overHttp({ http: { path: `/mcp?n=${at}` } }) : overHttp({ http: call })
    })
    expect(codes).toEqual(firstOnly(LIMIT, 30))
  })

  it(scenario([11], 'cannot hide thirty calls in one batch: none of them runs'), async () => {
    expect(await overHttp({ http: { body: times(30, (id) => callTool('probe', {}, id)) } })).toBe('message.batch')
    expect(world.runs).toEqual([])
    expect(await inTurn(LIMIT, () => overHttp())).toEqual(times(LIMIT, () => 'ok'))
  })

  it(scenario([24], 'is not charged for pings'), async () => {
    await inTurn(LIMIT - 1, () => overHttp())
    for (let at = 0; at < 5; at += 1) expect((await send(world.port, { body: rpc('ping'), headers: { authorization: 'Bearer ann' } })).status).toBe(200)
    expect(await inTurn(2, () => overHttp())).toEqual(['ok', 'quota.spent'])
  })

  it('has one bucket with the library door', async () => {
    expect(await inTurn(LIMIT / 2, () => overHttp())).toEqual(times(LIMIT / 2, () => 'ok'))
    expect(await inTurn(LIMIT / 2 + 1, () => inLibrary())).toEqual(firstOnly(LIMIT / 2, LIMIT / 2 + 1))
    expect(await overHttp()).toBe('quota.spent')
  })

  it('spends nothing of anybody with a token that is not accepted', async () => {
    const before = await inTurn(30, () => overHttp({ http: { headers: { authorization: 'Bearer !!' } } }))
    expect(before).toEqual(times(30, () => 'auth.invalid'))
    expect(await inTurn(LIMIT, () => overHttp())).toEqual(times(LIMIT, () => 'ok'))
  })
})

describe('without a login, everybody', () => {
  beforeEach(async () => {
    await world.close()
    world = await openWorld({ dangerouslyAllowInsecureHttp: true })
  })

  it(scenario([18], 'is the local caller, with one bucket for all connections and doors'), async () => {
    expect(await inTurn(30, (at) => overHttp({ as: `user${at}` }))).toEqual(firstOnly(LIMIT, 30))
    expect(codeOf(await world.house.asLocal().outcome({ kind: 'tool', name: 'probe', args: {} }))).toBe('quota.spent')
    expect(new Set(world.runs)).toEqual(new Set(['local']))
  })

  // Loopback has one IPv6 address, but on Linux a whole network of IPv4 ones to come from.
  it.skipIf(process.platform !== 'linux')(scenario([12], 'shares it whatever address a connection comes from'), async () => {
    const codes = await inTurn(30, async (at) => {
      const agent = new Agent({ localAddress: `127.0.0.${at + 1}` })
      return overHttp({ http: { agent } }).finally(() => agent.destroy())
    })
    expect(codes).toEqual(firstOnly(LIMIT, 30))
  })
})

const CASES = new URL('../../../shared/cases/ratelimit.jsonl', import.meta.url)

it.skipIf(!existsSync(CASES))('every shared scenario has its test here (skipped where they are absent)', () => {
  const ids = readFileSync(CASES, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { id: string }).id)
  expect(ids.filter((id) => !covered.has(id))).toEqual([])
})
