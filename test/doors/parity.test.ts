/** Each door gives the same outcome and leaves the same record for the same call as the library door. */

import { describe, expect, test } from 'vitest'
import type { GivenSettings, Session } from '../../src/doors/library/create-arrowhead.ts'
import { refusalText } from '../../src/kernel/refusal.ts'
import type { Request } from '../../src/kernel/call.ts'
import { CLIENTS } from './clients.ts'
import type { SdkClient, Seen } from './clients.ts'
import { ALICE_TOKEN, AUTH_SETTINGS, openHttp } from './http-server.ts'
import { ALICE, NAMES, essence, openWorld } from './world.ts'
import type { World } from './world.ts'

interface Case {
  readonly title: string
  readonly settings?: GivenSettings
  /** Asked in order; each answer and each record is compared. */
  readonly asks: readonly Request[]
  readonly expected: string
  /** Only where callers carry scopes: over stdio the local caller has them all. */
  readonly needsScopes?: true
}

const tool = (name: string, args: object = { text: 'hello' }): Request => ({ kind: 'tool', name, args })
const completion = (of: 'prompt' | 'resource', name: string, argument: string): Request => ({ kind: 'completion', of, name, argument, typed: '' })

const CASES: readonly Case[] = [
  { title: 'a good call', asks: [tool('note')], expected: 'ok' },
  { title: 'a good call of a core tool', asks: [tool('calculate', { expression: '6 * 7' })], expected: 'ok' },
  { title: 'bad input', asks: [tool('note', { text: 5, extra: 'PRIVATE' })], expected: 'input.invalid' },
  { title: 'a refusal of the tool itself', asks: [tool('note', { text: 'refuse' })], expected: 'file.unavailable' },
  { title: 'a fault', asks: [tool('broken', {})], expected: 'fault' },
  { title: 'an unknown name', asks: [tool(NAMES.tool.unknown)], expected: 'component.unknown' },
  { title: 'an inherited name', asks: [tool('__proto__')], expected: 'component.unknown' },
  { title: 'a killed tool', asks: [tool(NAMES.tool.disabled)], expected: 'component.unknown' },
  { title: 'a missing scope', asks: [tool(NAMES.tool.scope)], expected: 'component.unknown', needsScopes: true },
  {
    title: 'a caller over its rate', settings: { calculatePerMinute: 1 }, expected: 'quota.spent',
    asks: [tool('calculate', { expression: '1' }), tool('calculate', { expression: '1' })],
  },
  { title: 'a tool of our own in the smallest profile', settings: { profile: 'core', disabledTools: [], disabledPrompts: [], disabledResources: [] }, asks: [tool('note')], expected: 'ok' },
  { title: 'a resource', asks: [{ kind: 'resource', uri: 'page://one' }], expected: 'ok' },
  { title: 'a killed resource', asks: [{ kind: 'resource', uri: NAMES.resource.disabled }], expected: 'component.unknown' },
  { title: 'a prompt', asks: [{ kind: 'prompt', name: 'greet', args: { who: 'ann' } }], expected: 'ok' },
  { title: 'a prompt with bad input', asks: [{ kind: 'prompt', name: 'greet', args: { whom: 'PRIVATE' } }], expected: 'input.invalid' },
  { title: 'an unknown prompt', asks: [{ kind: 'prompt', name: 'nobody', args: {} }], expected: 'component.unknown' },
  { title: 'a completion', asks: [completion('prompt', 'greet', 'who'), completion('resource', 'page://{id}', 'id')], expected: 'ok' },
  { title: 'a completion for a killed prompt', asks: [completion('prompt', NAMES.prompt.disabled, 'who')], expected: 'ok' },
]

/** What the library door says, in the form that clients see. */
async function viaLibrary(session: Session, asks: readonly Request[]): Promise<Seen[]> {
  const all: Seen[] = []
  for (const ask of asks) {
    const outcome = await session.outcome(ask)
    if (outcome.is === 'refused') all.push({ is: 'refused', code: outcome.refusal.code, text: refusalText(outcome.refusal) })
    else if (outcome.is === 'fault') all.push({ is: 'fault' })
    else if (outcome.is === 'ok') all.push({ is: 'ok', value: valueOf(ask, outcome.answer.value) })
  }
  return all
}

function valueOf(ask: Request, value: Readonly<Record<string, unknown>>): unknown {
  if (ask.kind === 'resource') return [value['text']]
  if (ask.kind === 'completion') return value['values']
  return ask.kind === 'prompt' ? (value['messages'] as readonly { text: string }[]).map(({ text }) => text) : value
}

async function viaClient(client: SdkClient, asks: readonly Request[]): Promise<Seen[]> {
  const all: Seen[] = []
  for (const ask of asks) all.push(await one(client, ask))
  return all
}

function one(client: SdkClient, ask: Request): Promise<Seen> {
  switch (ask.kind) {
    case 'tool':
      return client.call(ask.name, ask.args as Record<string, unknown>)
    case 'resource':
      return client.read(ask.uri)
    case 'prompt':
      return client.prompt(ask.name, ask.args as Record<string, string>)
    case 'completion':
      return client.complete(ask.of, ask.name, ask.argument, ask.typed)
    case 'listing':
      throw new TypeError('listings are compared on their own')
  }
}

/** Calls alone: handshakes, listings of a client's own accord and notifications are the door's business. */
const calls = ({ rows }: World) => rows.filter(({ kind }) => kind !== 'message' && kind !== 'listing' && kind !== 'http').map(essence)

const codeOf = (seen: Seen | undefined): string | undefined => (seen?.is === 'refused' ? seen.code : seen?.is)

const WAYS = CLIENTS.flatMap((client) => [true, false].map((hotLane) => ({ ...client, hotLane })))

describe.each(WAYS)('$name (hot lane $hotLane)', ({ open, hotLane }) => {
  test.each(CASES.filter(({ needsScopes }) => !needsScopes))('over stdio, $title is as in the library', async ({ settings = {}, asks, expected }) => {
    const [here, there] = [openWorld({ settings }), openWorld({ settings: { ...settings, hotLane } })]
    const said = await viaLibrary(here.house.asLocal(), asks)
    const client = await open({ by: 'pipe', app: there.house.app })
    const heard = await viaClient(client, asks)
    await client.close()
    expect(codeOf(said.at(-1))).toBe(expected)
    expect(heard).toEqual(said)
    expect(calls(there)).toEqual(calls(here))
    expect(calls(there)).toHaveLength(asks.length)
  })

  test.each(CASES)('over HTTP with a token, $title is as in the library', async ({ settings = {}, asks, expected }) => {
    const [here, there] = [openWorld({ settings }), openWorld({ settings: { ...settings, ...AUTH_SETTINGS, hotLane } })]
    const said = await viaLibrary(here.house.as(ALICE), asks)
    const server = await openHttp(there.house.app)
    const client = await open({ by: 'http', url: server.url, token: ALICE_TOKEN })
    const heard = await viaClient(client, asks)
    await client.close()
    await server.close()
    expect(codeOf(said.at(-1))).toBe(expected)
    expect(heard).toEqual(said)
    expect(calls(there)).toEqual(calls(here))
    expect(calls(there)).toHaveLength(asks.length)
  })

  test('over HTTP without auth, the caller is the local one as over stdio', async () => {
    const there = openWorld({ settings: { dangerouslyAllowInsecureHttp: true, hotLane } })
    const server = await openHttp(there.house.app)
    const client = await open({ by: 'http', url: server.url })
    expect(await client.call(NAMES.tool.scope, { text: 'hello' })).toEqual({ is: 'ok', value: { length: 5, about: 'length' } })
    await client.close()
    await server.close()
    expect(calls(there)).toEqual([{ kind: 'tool', component: 'admin_note', caller: 'local', args: '{text: string(5)}', outcome: 'ok', code: '', reason: '' }])
  })

  test('a listing holds the same names in the same order through every door', async () => {
    const expected = (await openWorld().house.as(ALICE).list('tools')).map(({ name }) => name)
    const there = openWorld({ settings: { ...AUTH_SETTINGS, hotLane } })
    const server = await openHttp(there.house.app)
    const client = await open({ by: 'http', url: server.url, token: ALICE_TOKEN })
    expect(await client.listTools()).toEqual(expected)
    expect(expected).not.toContain('admin_note')
    await client.close()
    await server.close()
    const all = (await openWorld().house.asLocal().list('tools')).map(({ name }) => name)
    const local = await open({ by: 'pipe', app: openWorld({ settings: { hotLane } }).house.app })
    expect(await local.listTools()).toEqual(all)
    expect(all).toContain('admin_note')
    await local.close()
  })
})
