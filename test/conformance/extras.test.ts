/** What the fixture server does beyond production, what production does without it, and what neither does. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpDoor } from '../../src/http.ts'
import type { HttpDoorOptions } from '../../src/http.ts'
import type { AuditRow } from '../../src/index.ts'
import { memoryTrail } from '../../src/testing/index.ts'
import { openFixture } from './open-fixture.ts'

const EXTRAS = { logging: true, subscribe: true } as const
const MODERN = '2026-07-28'

interface Answer {
  readonly status: number
  readonly session: string | undefined
  /** Every message of the answer, the response last. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly rows: readonly AuditRow[]
}

interface Fixture {
  legacy(method: string, params?: object, session?: string): Promise<Answer>
  modern(method: string, params: Readonly<Record<string, unknown>>, capabilities?: object): Promise<Answer>
  close(): Promise<void>
}

async function openServer({ extras = {}, hotLane = true }: { readonly extras?: NonNullable<HttpDoorOptions['extras']>; readonly hotLane?: boolean }): Promise<Fixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-extras-'))
  const rows: AuditRow[] = []
  const { app, close } = openFixture({ port: 1, dataDir, settings: { hotLane, allowedHosts: ['127.0.0.1'] }, replace: { trail: memoryTrail(rows) } })
  const door = createHttpDoor({ app: { ...app, settings: { ...app.settings, port: 0 } }, version: '0.0.0', extras, warn: () => {} })
  const { url } = await door.listen()

  const post = async (body: object, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const before = rows.length
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }, body: JSON.stringify(body) })
    const text = await answer.text()
    const datas = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
    return {
      status: answer.status, session: answer.headers.get('mcp-session-id') ?? undefined,
      messages: datas.map((data) => JSON.parse(data) as Record<string, unknown>), rows: rows.slice(before),
    }
  }

  return {
    legacy: (method, params = {}, session = undefined) =>
      post({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25', ...(session !== undefined && { 'mcp-session-id': session }) }),
    modern: (method, params, capabilities = {}) => {
      const _meta = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': capabilities }
      const name = params['name'] ?? params['uri']
      return post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) })
    },
    async close() {
      await door.drain()
      await close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const HANDSHAKE = { protocolVersion: '2025-11-25', clientInfo: { name: 'test', version: '1' } }
const LOGGING_CALL = { name: 'test_logging_tool', arguments: {} }
const EXTRA_CALLS: readonly (readonly [method: string, params: object])[] = [
  ['logging/setLevel', { level: 'info' }], ['resources/subscribe', { uri: 'test://watched-resource' }], ['resources/unsubscribe', { uri: 'test://watched-resource' }],
]
const methodsOf = ({ messages }: Answer): readonly unknown[] => messages.map(({ method }) => method)

describe.each([true, false])('with the hot lane: %s', (hotLane) => {
  const servers: Fixture[] = []
  const opened = (at: number): Fixture => {
    const server = servers[at]
    if (!server) throw new Error('no such server')
    return server
  }
  const [plain, suite] = [() => opened(0), () => opened(1)]
  beforeAll(async () => {
    for (const extras of [{}, EXTRAS]) servers.push(await openServer({ extras, hotLane }))
  })
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  it.each(EXTRA_CALLS)('%s is no method of this server unless its extras are on, and one record either way', async (method, params) => {
    const [without, withExtras] = [await plain().legacy(method, params), await suite().legacy(method, params)]
    expect(without.messages.at(-1)).toMatchObject({ error: { code: -32_601 } })
    expect(withExtras.messages.at(-1)).toMatchObject({ result: {} })
    expect([without.rows.length, withExtras.rows.length]).toEqual([1, 1])
    const modern = await suite().modern(method, params as Record<string, unknown>)
    expect([modern.status, modern.messages.at(-1)]).toMatchObject([404, { error: { code: -32_601 } }])
  })

  it.each(['logging/setLevel', 'resources/subscribe'])('%s with wrong parameters is refused', async (method) => {
    expect((await suite().legacy(method, {})).messages.at(-1)).toMatchObject({ error: { code: -32_602 } })
  })

  it('says what it serves, in the handshake era alone', async () => {
    const declared = async (server: Fixture): Promise<object> => {
      const { messages } = await server.legacy('initialize', { ...HANDSHAKE, capabilities: {} })
      const [{ result } = {}] = messages
      return (result as { readonly capabilities: object }).capabilities
    }
    expect(await declared(plain())).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} })
    expect(await declared(suite())).toEqual({ tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} })
    expect((await suite().modern('server/discover', {})).messages.at(-1)).toMatchObject({ result: { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} } } })
  })

  it('sends log messages of tools only to clients that were promised some', async () => {
    const log = 'notifications/message'
    expect(methodsOf(await suite().legacy('tools/call', LOGGING_CALL))).toContain(log)
    expect(methodsOf(await plain().legacy('tools/call', LOGGING_CALL))).not.toContain(log)
    expect(methodsOf(await suite().modern('tools/call', LOGGING_CALL))).not.toContain(log)
  })

  it('takes answers without a ticket for none, and asks', async () => {
    const answer = await plain().modern('tools/call', { name: 'test_input_required_result_elicitation', arguments: {}, inputResponses: { user_name: { action: 'accept', content: { name: 'Ann' } } } }, { elicitation: {} })
    expect(answer.messages.at(-1)).toMatchObject({ result: { resultType: 'input_required', inputRequests: { user_name: {} } } })
    expect(answer.rows).toHaveLength(1)
  })
})

it('never asks a handshake-era client what it did not say it can answer', async () => {
  const server = await openServer({})
  const { session } = await server.legacy('initialize', { ...HANDSHAKE, capabilities: { elicitation: {} } })
  const answer = await server.legacy('tools/call', { name: 'test_sampling', arguments: { prompt: 'hello' } }, session)
  await server.close()
  expect(session).toBeDefined()
  expect(answer.messages).toMatchObject([{ result: { isError: true, content: [{ text: expect.stringContaining('client.capability') }] } }])
  expect(answer.rows).toMatchObject([{ outcome: 'refused', code: 'client.capability' }])
})
