/** What a caller hears who lacks nothing but a scope: with step-up which one, without it nothing (RFC 6750 §3.1). */

import { describe, expect, it } from 'vitest'
import { modern, rpc } from '../../src/doors/http/door.fixture.ts'
import type { GivenSettings } from '../../src/doors/library/create-arrowhead.ts'
import { ALICE_TOKEN, AUTH_SETTINGS, openHttp } from '../doors/http-server.ts'
import { NAMES, essence, openWorld } from '../doors/world.ts'

type Ask = readonly [method: string, params: Readonly<Record<string, unknown>>]

const NEEDED = 'notes:admin'
const CHALLENGE = `Bearer error="insufficient_scope", scope="${NEEDED}", resource_metadata="${AUTH_SETTINGS.serverPublicUrl}/.well-known/oauth-protected-resource/mcp"`

const tool = (name: string): Ask => ['tools/call', { name, arguments: { text: 'hello' } }]
const read = (uri: string): Ask => ['resources/read', { uri }]
const prompt = (name: string): Ask => ['prompts/get', { name, arguments: { who: 'ann' } }]
const completePrompt = (name: string): Ask => ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'who', value: '' } }]

const UNDER_SCOPED: readonly Ask[] = [tool('admin_note'), read('note://admin'), read('admin://one'), prompt('admin_greet')]

/** What is not there for another reason, or needs nothing more. */
const OTHERS: readonly Ask[] = [
  tool('note'), tool(NAMES.tool.disabled), tool(NAMES.tool.unknown), tool(NAMES.tool.inherited), tool('ADMIN_NOTE'),
  read('page://one'), read(NAMES.resource.disabled), read(NAMES.resource.unknown), read('old://one'), read('constructor'),
  prompt('greet'), prompt(NAMES.prompt.disabled), prompt(NAMES.prompt.unknown), completePrompt('greet'), completePrompt('admin_greet'), completePrompt(NAMES.prompt.unknown),
  ['tools/list', {}], ['prompts/list', {}], ['resources/list', {}], ['ping', {}], ['tools/call', { name: 'admin_note', arguments: 7 }], ['no/such', {}],
]

interface Heard {
  readonly status: number
  readonly challenge: string | null
  readonly body: string
}

type Era = '2025-11-25' | '2026-07-28'

async function openDoor(settings: GivenSettings = {}) {
  const world = openWorld({ settings: { ...AUTH_SETTINGS, ...settings } })
  const server = await openHttp(world.house.app)
  const ask = async ([method, params]: Ask, era: Era = '2025-11-25', token = ALICE_TOKEN): Promise<Heard> => {
    const { body, headers } = era === '2026-07-28' ? modern(method, params) : { body: rpc(method, params), headers: {} }
    const response = await fetch(server.url, {
      method: 'POST', body: JSON.stringify(body),
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    })
    return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.text() }
  }
  return { ...world, ask, close: server.close }
}

const WAYS = (['2025-11-25', '2026-07-28'] as const).flatMap((era) => [true, false].map((hotLane) => [era, hotLane] as const))

describe.each(WAYS)('a call of %s (hot lane %s)', (era, hotLane) => {
  it('that only lacks a scope is told which one where step-up is on, and leaves the record that it would leave otherwise', async () => {
    const [on, off] = [await openDoor({ hotLane, oauthStepUp: true }), await openDoor({ hotLane })]
    for (const ask of UNDER_SCOPED) {
      const heard = await on.ask(ask, era)
      expect([ask, heard.status, heard.challenge]).toEqual([ask, 403, CHALLENGE])
      expect(JSON.parse(heard.body)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { data: { code: 'auth.scope' } } })
      expect((await off.ask(ask, era)).challenge).toBeNull()
    }
    expect(on.rows.map(essence)).toEqual(off.rows.map(essence))
    expect(on.rows.map(({ code, reason }) => `${code} ${reason}`)).toEqual(UNDER_SCOPED.map(() => 'component.unknown scope'))
    await on.close()
    await off.close()
  })

  it('that lacks anything else, or nothing, is answered as without step-up', async () => {
    const [on, off] = [await openDoor({ hotLane, oauthStepUp: true }), await openDoor({ hotLane })]
    for (const ask of OTHERS) expect([ask, await on.ask(ask, era)]).toEqual([ask, await off.ask(ask, era)])
    expect(on.rows.map(essence)).toEqual(off.rows.map(essence))
    await on.close()
    await off.close()
  })

  it('that only lacks a scope reads like an unknown name where step-up is off', async () => {
    const off = await openDoor({ hotLane })
    expect(await off.ask(tool('admin_note'), era)).toEqual(await off.ask(tool('no_such_note'), era))
    await off.close()
  })
})

it('asking for scopes is limited by the rate of unknown names', async () => {
  const on = await openDoor({ oauthStepUp: true, unknownPerMinute: 3 })
  const heard = []
  for (let at = 0; at < 5; at += 1) heard.push(await on.ask(tool(at % 2 === 0 ? 'admin_note' : 'no_such_note')))
  expect(heard.map(({ status, challenge }) => [status, challenge !== null])).toEqual([[403, true], [200, false], [403, true], [200, false], [429, false]])
  expect(on.rows.map(({ code }) => code)).toEqual(['component.unknown', 'component.unknown', 'component.unknown', 'quota.spent', 'quota.spent'])
  await on.close()
})

it('a broad scope that stands for the needed one is enough', async () => {
  const on = await openDoor({ oauthStepUp: true, scopeExpansions: { 'notes:read': [NEEDED] } })
  expect((await on.ask(tool('admin_note'))).status).toBe(200)
  await on.close()
})

it('nobody without a token hears of a scope', async () => {
  const on = await openDoor({ oauthStepUp: true })
  const heard = await on.ask(tool('admin_note'), '2025-11-25', 'nobody')
  expect([heard.status, heard.challenge?.includes('scope=')]).toEqual([401, false])
  await on.close()
})
