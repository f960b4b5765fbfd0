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
  ['prompts/get', { name: 'greet', arguments: { who: 'Ann' } }], ['prompts/get', { name: 'greet', arguments: {} }], ['prompts/get', { name: 'nobody' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'page://{id}' }, argument: { name: 'id', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'who', value: '' } }],
  // Not plain: both lanes must send these to the library.
  ['ping', {}], ['foo/bar', {}], ['tools/call', { name: 'note', arguments: { text: 'x' }, unknownMember: 1 }],
  ['tools/call', { name: 'note', arguments: { text: 'x' }, inputResponses: {} }],
]

type Era = 'modern' | 'legacy'
const ERAS: readonly Era[] = ['modern', 'legacy']

interface Sent {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function post(url: string, era: Era, method: string, params: Readonly<Record<string, unknown>>, id: string | number): Promise<Sent> {
  const meta = era === 'modern' ? { ...MODERN_META, ...TRACE } : TRACE
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })
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
})

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
})

/** The texts of the library's own errors are its own; everything else must be equal. */
const withoutText = (frame: Readonly<Record<string, unknown>>): object => {
  const error = frame['error'] as { code: number; data?: { code?: string } } | undefined
  return error ? { id: frame['id'], error: { code: error.code } } : frame
}
