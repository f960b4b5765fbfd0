/** The hot lane against the protocol library: for what the lane takes, status, headers, body and record are the same. */

import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttp } from './http-server.ts'
import type { HttpServer } from './http-server.ts'
import { openPipe } from './stdio-pipe.ts'
import { essence, openWorld } from './world.ts'
import type { World } from './world.ts'

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const TRACE = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }

/** Calls of every kind, good and bad: what a client may plainly ask. */
const CALLS: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>])[] = [
  ['tools/list', {}], ['resources/list', {}], ['resources/templates/list', {}], ['prompts/list', {}],
  ['tools/list', { cursor: 'not-ours' }],
  ['tools/call', { name: 'note', arguments: { text: 'hällo "quoted" \u2028 \\ end' } }],
  ['tools/call', { name: 'note', arguments: { text: 'refuse' } }],
  ['tools/call', { name: 'note', arguments: { text: 5, more: 1 } }],
  ['tools/call', { name: 'note' }],
  ['tools/call', { name: 'no_such_note', arguments: {} }],
  ['tools/call', { name: 'constructor', arguments: {} }],
  ['resources/read', { uri: 'note://page' }], ['resources/read', { uri: 'page://seven' }], ['resources/read', { uri: 'none://x' }],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ann' } }], ['prompts/get', { name: 'greet', arguments: {} }], ['prompts/get', { name: 'greet', arguments: { who: 5 } }], ['prompts/get', { name: 'nobody', arguments: { who: null } }], ['prompts/get', { name: 'nobody' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'page://{id}' }, argument: { name: 'id', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'who', value: '' } }],
  // Not plain: both lanes must send these to the library.
  ['ping', {}], ['foo/bar', {}], ['tools/call', { name: 'note', arguments: { text: 'x' }, unknownMember: 1 }],
  ['tools/call', { name: 'note', arguments: { text: 'x' }, inputResponses: {} }],
]

const [CAPABILITIES, INFO] = ['io.modelcontextprotocol/clientCapabilities', 'io.modelcontextprotocol/clientInfo']

/** What clients say of themselves, well and badly: the lane must believe no more of it than the library does. */
const CARDS: readonly (readonly [capabilities: unknown, info: Readonly<Record<string, unknown>>])[] = [
  [{ roots: { listChanged: true }, sampling: { tools: {} }, elicitation: { form: { applyDefaults: true }, url: {} }, extensions: { 'a/b': { c: [1] } }, experimental: { x: {} } }, {}],
  [{ unknownThing: 5 }, {}],
  ...[{ roots: 5 }, { roots: { listChanged: 'x' } }, { sampling: 'x' }, { sampling: { tools: 5 } }, { elicitation: null }, { elicitation: { form: 5 } }].map((part) => [part, {}] as const),
  ...[{ elicitation: { form: { applyDefaults: 'x' } } }, { extensions: 5 }, { extensions: { 'a/b': 5 } }, { experimental: [] }, { tasks: 5 }, []].map((part) => [part, {}] as const),
  [{}, { title: 'T', websiteUrl: 'https://a.example', description: 'd', icons: [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['1x1'], theme: 'dark' }] }],
  ...[{ title: 5 }, { websiteUrl: null }, { description: [] }, { icons: 5 }, { icons: [5] }, { icons: [{}] }, { icons: [{ src: 'a', sizes: '1x1' }] }, { icons: [{ src: 'a', theme: 'red' }] }, { version: 1 }].map((part) => [{}, part] as const),
]
const cardOf = ([capabilities, info]: (typeof CARDS)[number]) => ({ capabilities, clientInfo: { name: 'test', version: '1', ...info } })

type Era = 'modern' | 'legacy'
const ERAS: readonly Era[] = ['modern', 'legacy']

interface Sent {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function post(url: string, era: Era, method: string, { _meta, ...params }: Readonly<Record<string, unknown>>, id: string | number): Promise<Sent> {
  const meta = era === 'modern' ? { ...MODERN_META, ...TRACE, ...(_meta as object | undefined) } : TRACE
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...(method !== 'initialize' && { _meta: meta }) } })
  const name = params['name'] ?? params['uri']
  const headers = {
    'content-type': 'application/json', accept: 'application/json, text/event-stream', 'content-length': Buffer.byteLength(body),
    ...(era === 'modern' ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) } : { 'mcp-protocol-version': '2025-11-25' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
      answer.on('end', () => {
        const { date: _date, ...kept } = answer.headers
        resolve({ status: answer.statusCode, headers: kept, body: text })
      })
    })
    sent.on('error', reject).end(body)
  })
}

describe('over HTTP', () => {
  const worlds = new Map<boolean, { readonly world: World; readonly server: HttpServer }>()
  beforeAll(async () => {
    for (const hotLane of [true, false]) {
      const world = openWorld({ settings: { hotLane, dangerouslyAllowInsecureHttp: true, transport: 'http' } })
      worlds.set(hotLane, { world, server: await openHttp(world.house.app) })
    }
  })
  afterAll(async () => {
    for (const { server, world } of worlds.values()) {
      await server.close()
      await world.house.close()
    }
  })

  const both = async (era: Era, method: string, params: Readonly<Record<string, unknown>>, id: string | number) => {
    const answers: { readonly sent: Sent; readonly rows: readonly object[]; readonly traces: readonly string[] }[] = []
    for (const { server, world } of worlds.values()) {
      const before = world.rows.length
      const sent = await post(server.url, era, method, params, id)
      const rows = world.rows.slice(before)
      answers.push({ sent, rows: rows.map(essence), traces: rows.map(({ trace }) => trace) })
    }
    return answers
  }

  it.each(ERAS.flatMap((era) => CALLS.map(([method, params]) => ({ era, method, params }))))('$era $method $params', async ({ era, method, params }) => {
    const [lane, library] = await both(era, method, params, 'same "id"')
    expect(lane).toEqual(library)
    expect(lane?.rows).toHaveLength(1)
  })

  it.each(CARDS)('a client that says it can %j and is %j is believed alike', async (...card) => {
    const { capabilities, clientInfo } = cardOf(card)
    const _meta = { [CAPABILITIES]: capabilities, [INFO]: clientInfo }
    for (const method of ['tools/list', 'server/discover']) {
      const [lane, library] = await both('modern', method, { _meta }, 1)
      expect(lane).toEqual(library)
    }
    const [lane, library] = (await both('legacy', 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }, 1)).map(({ sent, rows }) => ({ rows, ...sent, headers: withoutSession(sent.headers) }))
    expect(lane).toEqual(library)
  })

  it('a level of notes that there is not is refused alike', async () => {
    const [lane, library] = await both('modern', 'server/discover', { _meta: { 'io.modelcontextprotocol/logLevel': 'nope' } }, 1)
    expect(lane).toEqual(library)
    expect(lane?.sent.status).toBe(400)
  })
})

/** The id of a session is another one each time; whether there is one must not differ. */
const withoutSession = ({ 'mcp-session-id': session, ...headers }: Readonly<Record<string, unknown>>): object => ({ ...headers, session: session !== undefined })

describe('over stdio', () => {
  it.each(ERAS)('a whole %s conversation gives the same frames and records', async (era) => {
    const [lane, library] = await Promise.all([true, false].map(async (hotLane) => {
      const { house, rows } = openWorld({ settings: { hotLane } })
      const pipe = openPipe(house.app)
      if (era === 'legacy') {
        await pipe.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
        pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      } else await pipe.ask('server/discover', { _meta: MODERN_META })
      for (const [method, params] of CALLS) await pipe.ask(method, era === 'modern' ? { ...params, _meta: MODERN_META } : params)
      await pipe.leave()
      await house.close()
      return { frames: pipe.frames.map(withoutText), rows: rows.map(essence) }
    }))
    expect(lane?.frames).toEqual(library?.frames)
    expect(lane?.rows).toEqual(library?.rows)
  })

  it('a sessionless client that forgets to say who it is gets the same code, by what it asks for', async () => {
    const forgetful = [['tools/list', {}], ['tools/call', { name: 'note', arguments: { text: 'x' } }], ['tasks/get', { taskId: 'x' }], ['server/discover', {}], ['subscriptions/listen', {}], ['ping', {}], ['logging/setLevel', { level: 'info' }], ['foo/bar', {}]] as const
    const [lane, library] = await Promise.all([true, false].map(async (hotLane) => {
      const { house, rows } = openWorld({ settings: { hotLane } })
      const pipe = openPipe(house.app)
      await pipe.ask('tools/list', { _meta: MODERN_META })
      for (const [method, params] of forgetful) await pipe.ask(method, params)
      await pipe.leave()
      await house.close()
      return { codes: pipe.frames.map(({ error }) => (error as { code?: number } | undefined)?.code), rows: rows.map(essence) }
    }))
    expect(lane).toEqual(library)
    expect(lane?.codes).toEqual([undefined, ...Array(5).fill(-32_602), ...Array(3).fill(-32_601)])
  })
})

/** The texts of the library's own errors are its own; everything else must be equal. */
const withoutText = (frame: Readonly<Record<string, unknown>>): object => {
  const error = frame['error'] as { code: number; data?: { code?: string } } | undefined
  return error ? { id: frame['id'], error: { code: error.code } } : frame
}
