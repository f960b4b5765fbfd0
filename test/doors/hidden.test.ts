/**
 * Unknown, hidden, disabled and under-scoped names cannot be told apart: same frame to the byte, same
 * rate, same order of refusals, for every kind of component, in both eras, over both transports.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GivenSettings } from '../../src/doors/library/create-arrowhead.ts'
import { ALICE_TOKEN, AUTH_SETTINGS, openHttp } from './http-server.ts'
import { ENVELOPE, openLegacy, openModern } from './stdio-pipe.ts'
import { ALICE, NAMES, openWorld } from './world.ts'
import type { World } from './world.ts'

/** Sends one request and gives the whole answer as text, but for its id and date. */
type Wire = (method: string, params: object) => Promise<string>

interface Door {
  readonly title: string
  /** Whether callers carry scopes here; the local caller has them all. */
  readonly scoped: boolean
  open(settings?: GivenSettings): Promise<{ readonly wire: Wire; readonly world: World; close(): Promise<void> }>
}

const bare = (frame: object): string => JSON.stringify({ ...frame, id: 0 })

const overStdio = (era: 'legacy' | 'modern'): Door => ({
  title: `${era} stdio`, scoped: false,
  async open(settings = {}) {
    const world = openWorld({ settings })
    const pipe = era === 'legacy' ? await openLegacy(world.house.app) : openModern(world.house.app)
    return { world, wire: async (method, params) => bare(await pipe.ask(method, params)), close: () => pipe.leave() }
  },
})

const overHttp = (era: 'legacy' | 'modern'): Door => ({
  title: `${era} HTTP`, scoped: true,
  async open(settings = {}) {
    const world = openWorld({ settings: { ...AUTH_SETTINGS, ...settings } })
    const server = await openHttp(world.house.app)
    const wire: Wire = async (method, params) => {
      const { name, uri } = params as { name?: string; uri?: string }
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...((name ?? uri) !== undefined && { 'mcp-name': name ?? uri ?? '' }) }
      const answer = await fetch(server.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ALICE_TOKEN}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
          ...(era === 'modern' && modern),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: era === 'modern' ? { ...params, _meta: ENVELOPE } : params }),
      })
      const headers = Object.fromEntries([...answer.headers].filter(([header]) => header !== 'date'))
      return `${answer.status} ${JSON.stringify(headers)} ${bare((await answer.json()) as object)}`
    }
    return { world, wire, close: () => server.close() }
  },
})

/** The protocol library instead of our own tables, which must not matter. */
const byLibrary = ({ title, scoped, open }: Door): Door => ({ title: `${title} by the library`, scoped, open: (settings) => open({ ...settings, hotLane: false }) })

const HOT = (['legacy', 'modern'] as const).flatMap((era) => [overStdio(era), overHttp(era)])
const DOORS = [...HOT, ...HOT.map(byLibrary)]

type Names = Readonly<Record<'seen' | 'scope' | 'disabled' | 'unknown' | 'inherited', string>>

interface Asking {
  readonly title: string
  readonly names: Names
  readonly method: string
  params(name: string, bad?: boolean): object
}

const TEMPLATES: Names = { seen: 'page://{id}', scope: 'admin://{id}', disabled: 'old://{id}', unknown: 'none://{id}', inherited: 'valueOf' }

const completes = (type: 'ref/prompt' | 'ref/resource', argument: string) => (name: string, bad = false) => ({
  ref: type === 'ref/prompt' ? { type, name } : { type, uri: name },
  argument: { name: argument, value: bad ? 'x'.repeat(2_000) : '' },
})

const KINDS: readonly Asking[] = [
  { title: 'tools', names: NAMES.tool, method: 'tools/call', params: (name, bad) => ({ name, arguments: bad ? { text: 5, more: 1 } : { text: 'hi' } }) },
  { title: 'resources', names: NAMES.resource, method: 'resources/read', params: (uri) => ({ uri }) },
  { title: 'resources of a template', names: NAMES.template, method: 'resources/read', params: (uri) => ({ uri }) },
  { title: 'prompts', names: NAMES.prompt, method: 'prompts/get', params: (name, bad) => ({ name, arguments: bad ? { whom: '5' } : { who: 'ann' } }) },
  { title: 'completions of prompts', names: NAMES.prompt, method: 'completion/complete', params: completes('ref/prompt', 'who') },
  { title: 'completions of templates', names: TEMPLATES, method: 'completion/complete', params: completes('ref/resource', 'id') },
]

/** Reasons for which a name is not there. */
const absent = ({ scope, disabled, unknown, inherited }: Names, scoped: boolean) => [unknown, disabled, inherited, ...(scoped ? [scope] : [])]

describe.each(DOORS)('$title', ({ open, scoped }) => {
  let door: Awaited<ReturnType<Door['open']>>
  beforeAll(async () => {
    door = await open({ unknownPerMinute: 1_000 })
  })
  afterAll(() => door.close())

  test.each(KINDS)('$title that are not there for any reason get one answer, even with bad arguments', async ({ names, method, params }) => {
    const answers = new Set<string>()
    for (const name of absent(names, scoped)) for (const bad of [false, true]) answers.add(await door.wire(method, params(name, bad)))
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toContain(method === 'completion/complete' ? '"values":[]' : '"code":"component.unknown"')
  })

  test.each(KINDS)('$title that are there get another answer, so the comparison means something', async ({ names, method, params }) => {
    const seen = await door.wire(method, params(names.seen))
    expect(seen).not.toContain('component.unknown')
    expect(seen).not.toContain('"values":[]')
  })

  test('none of them stands in a listing', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const text = await door.wire(method, {})
      for (const { names } of KINDS) for (const name of absent(names, scoped)) expect(text).not.toContain(JSON.stringify(name))
    }
  })

  test('only the audit knows why', async () => {
    const from = door.world.rows.length
    const { names, method, params } = KINDS[0] ?? (() => { throw new Error('no kinds') })()
    for (const name of absent(names, scoped)) await door.wire(method, params(name))
    const reasons = door.world.rows.slice(from).map(({ reason }) => reason)
    expect(reasons).toEqual(['unknown', 'disabled', 'unknown', ...(scoped ? ['scope'] : [])])
  })

  test('they share one rate, whatever the reason and the kind', async () => {
    const fresh = await open({ unknownPerMinute: 1 })
    const each = KINDS.flatMap(({ names, method, params }) => absent(names, scoped).map((name) => ({ method, params: params(name) })))
    const spent = new Map<string, Set<string>>()
    for (const [at, first] of each.entries()) {
      fresh.world.clock.pass(60_000)
      await fresh.wire(first.method, first.params)
      expect(fresh.world.rows.at(-1)?.code).toBe('component.unknown')
      const second = each[(at * 7 + 1) % each.length] ?? first
      const text = await fresh.wire(second.method, second.params)
      expect(fresh.world.rows.at(-1)?.code).toBe('quota.spent')
      expect(text).toContain(second.method === 'completion/complete' ? '"values":[]' : 'quota.spent')
      spent.set(second.method, (spent.get(second.method) ?? new Set()).add(text))
    }
    // Nor does the refusal for the rate tell one reason from another.
    expect(spent.size).toBe(4)
    for (const texts of spent.values()) expect(texts.size).toBe(1)
    await fresh.close()
  })

  test('a name that is there does not use up their rate, nor they its', async () => {
    const fresh = await open({ unknownPerMinute: 1 })
    const call = (name: string) => fresh.wire('tools/call', { name, arguments: { text: 'hi' } })
    for (let n = 0; n < 5; n += 1) expect(await call(NAMES.tool.seen)).not.toContain('quota.spent')
    expect(await call(NAMES.tool.disabled)).toContain('component.unknown')
    expect(await call(NAMES.tool.unknown)).toContain('quota.spent')
    expect(await call(NAMES.tool.seen)).not.toContain('quota.spent')
    await fresh.close()
  })
})

describe('the library', () => {
  test('refuses them with one refusal too', async () => {
    const alice = openWorld().house.as(ALICE)
    for (const name of absent(NAMES.tool, true)) {
      await expect(alice.call(name, { text: 5 })).rejects.toMatchObject({ code: 'component.unknown', message: 'no such component', hint: 'list the components to see what this caller may use' })
    }
  })

  test('does not name the reason on what it throws', async () => {
    const alice = openWorld().house.as(ALICE)
    const thrown = await Promise.all(absent(NAMES.tool, true).map((name) => alice.call(name, {}).catch((error: unknown) => error)))
    expect(new Set(thrown.map((error) => JSON.stringify(error))).size).toBe(1)
  })
})
