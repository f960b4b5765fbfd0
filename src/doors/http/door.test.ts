import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app/create-app.ts'
import { loadSettings } from '../../config/index.ts'
import { WITH_AUTH, callTool, modern, namesAsTokens, openTestDoor, rpc } from './door.fixture.ts'
import type { TestDoor } from './door.fixture.ts'
import { createHttpDoor } from './door.ts'

const ORIGIN = 'https://app.example'

describe('the HTTP door with authentication', () => {
  let door: TestDoor

  beforeAll(async () => {
    door = await openTestDoor({ settings: { ...WITH_AUTH, allowedOrigins: [ORIGIN] }, identity: namesAsTokens() })
  })
  afterAll(() => door.close())

  it('sends a client without a token to the metadata, and names no error that it did not make', async () => {
    const { status, headers, json } = await door.send({ body: rpc('tools/list') })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"')
    expect(json).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'auth.missing: an access token is required', data: { code: 'auth.missing' } } })
  })

  it('tells a client that its token is wrong, and repeats nothing of it', async () => {
    const { status, headers, text } = await door.send({ body: rpc('tools/list'), headers: { authorization: 'Bearer EVIL-TOKEN' } })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token", resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"')
    expect(text).not.toContain('EVIL')
  })

  it('does not choose between two tokens', async () => {
    const { status } = await door.send({ body: rpc('tools/list'), headers: { authorization: ['Bearer alice', 'Bearer bob'] } })
    expect(status).toBe(401)
  })

  it('asks for the token before it looks at anything else of a message', async () => {
    const { status } = await door.send({ body: 'not json', headers: { 'content-type': 'text/plain', 'mcp-session-id': 'x' } })
    expect(status).toBe(401)
  })

  it('lets each caller see what its scopes open', async () => {
    const { json } = await door.send({ body: rpc('tools/list'), headers: { authorization: 'Bearer alice' } })
    expect((json as { result: { tools: object[] } }).result.tools.length).toBeGreaterThan(0)
    expect(door.rows.at(-1)).toMatchObject({ kind: 'listing', component: 'tools', caller: 'alice', outcome: 'ok' })
  })

  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])('publishes its metadata at %s, without scopes', async (path) => {
    const { status, headers, json } = await door.send({ method: 'GET', path })
    expect(status).toBe(200)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(json).toEqual({ resource: 'https://mcp.example', authorization_servers: ['https://as.example'], bearer_methods_supported: ['header'] })
  })

  it('answers a preflight without a token', async () => {
    const { status, headers, text } = await door.send({ method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } })
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, 'access-control-allow-methods': 'POST, DELETE', vary: 'Origin' })
    const allowed = String(headers['access-control-allow-headers']).split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'last-event-id', 'traceparent']))
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
  })

  it('refuses the preflight of another origin', async () => {
    const { status, headers } = await door.send({ method: 'OPTIONS', headers: { origin: 'https://evil.test' } })
    expect(status).toBe(403)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('lets a page of a listed origin read the challenge', async () => {
    const { status, headers } = await door.send({ body: rpc('tools/list'), headers: { origin: ORIGIN } })
    expect(status).toBe(401)
    expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': 'www-authenticate, mcp-session-id' })
  })
})

describe('the HTTP door without authentication', () => {
  let door: TestDoor

  beforeAll(async () => {
    door = await openTestDoor()
  })
  afterAll(() => door.close())

  it('says where it listens', () => {
    expect(door.url).toBe(`http://127.0.0.1:${door.port}/mcp`)
    expect(door.door.addresses()).toEqual([{ address: '127.0.0.1', port: door.port }])
    expect(door.warnings).toEqual([])
  })

  it.each([['/health', 'ok'], ['/ready', 'ready']])('answers %s to whoever asks, whatever host they name, without a record', async (path, status) => {
    const before = door.rows.length
    const reply = await door.send({ method: 'GET', path, headers: { host: '10.1.2.3' } })
    expect([reply.status, reply.json]).toEqual([200, { status }])
    expect((await door.send({ method: 'HEAD', path })).text).toBe('')
    expect(door.rows.length).toBe(before)
  })

  it('serves no metadata', async () => {
    expect((await door.send({ method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' })).status).toBe(404)
  })

  it.each(['/', '/mcp/', '/MCP', '/%6dcp', '//mcp', '/mcp/../mcp', 'http://evil.test/mcp', '*'])('serves nothing at %s', async (path) => {
    expect((await door.send({ path, body: rpc('ping') })).status).toBe(404)
  })

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('answers %s /mcp with the methods that it serves', async (method) => {
    const { status, headers } = await door.send({ method })
    expect([status, headers['allow']]).toEqual([405, 'POST, DELETE, OPTIONS'])
  })

  it('answers both eras in plain JSON when nothing came before the answer', async () => {
    for (const request of [{ body: callTool('calculate', { expression: '6*7' }) }, modern('tools/call', { name: 'calculate', arguments: { expression: '6*7' } })]) {
      const { status, headers, json } = await door.send(request)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/json', 'no-store'])
      expect(json).toMatchObject({ id: 1, result: { structuredContent: { result: 42 } } })
    }
  })

  it('answers with an event to a client that reads nothing else', async () => {
    const { headers, json } = await door.send({ body: rpc('ping'), headers: { accept: 'text/event-stream' } })
    expect(headers['content-type']).toBe('text/event-stream')
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('answers a notification with 202 and nothing', async () => {
    const { status, text } = await door.send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    expect([status, text]).toEqual([202, ''])
  })

  it('gives out no session', async () => {
    const reply = await door.send({ body: rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }) })
    expect(reply.json).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
    expect(reply.headers['mcp-session-id']).toBeUndefined()
  })

  it('keeps what clients act on in errors of the protocol, and the caller\'s words out of them', async () => {
    const call = modern('tools/call', { name: 'calculate', arguments: { expression: '1' } })
    const future = { 'io.modelcontextprotocol/protocolVersion': 'EVIL-VERSION', 'io.modelcontextprotocol/clientInfo': { name: 'EVIL', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} }
    const cases = [
      { request: { ...call, headers: { ...call.headers, 'mcp-name': 'EVIL' } }, status: 400, error: { code: -32020 } },
      { request: { ...call, headers: {} }, status: 400, error: { code: -32020 } },
      { request: { body: rpc('ping'), headers: { 'mcp-protocol-version': '1999-EVIL' } }, status: 400, error: { code: -32000, data: { supported: expect.arrayContaining(['2025-11-25']) } } },
      { request: { body: rpc('tools/list', { _meta: future }), headers: { 'mcp-protocol-version': 'EVIL-VERSION', 'mcp-method': 'tools/list' } }, status: 400, error: { code: -32022, data: { supported: expect.arrayContaining(['2026-07-28']), requested: 'unknown' } } },
      { request: modern('EVIL/method'), status: 404, error: { code: -32601 } },
      { request: modern('subscriptions/listen', { notifications: { EVIL: true } }), status: 404, error: { code: -32601 } },
      { request: { body: rpc('EVIL/method') }, status: 200, error: { code: -32601 } },
      { request: { body: rpc('initialize', { protocolVersion: ['EVIL'] }) }, status: 200, error: { code: -32602 } },
      { request: { body: rpc('tools/call', { name: ['EVIL'] }) }, status: 200, error: { code: -32602 } },
      { request: { body: callTool('EVIL') }, status: 200, error: { code: -32602 } },
      { request: { body: rpc('tools/list', { _meta: { progressToken: { EVIL: 1 } } }) }, status: 400, error: { code: -32600 } },
    ]
    for (const { request, status, error } of cases) {
      const reply = await door.send(request)
      expect(reply.status, reply.text).toBe(status)
      expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: 1, error })
      expect(reply.text).not.toContain('EVIL')
    }
  })
})

describe('the start of the HTTP door', () => {
  it('warns once when Host and Origin are not checked', async () => {
    const door = await openTestDoor({ settings: { host: '0.0.0.0' } })
    try {
      expect(door.warnings).toHaveLength(1)
      expect(door.warnings[0]).toMatch(/ARROWHEAD_ALLOWED_HOSTS and ARROWHEAD_ALLOWED_ORIGINS/)
      expect((await door.send({ body: rpc('ping'), headers: { host: 'anything.example' } })).status).toBe(200)
      expect((await door.send({ method: 'OPTIONS', headers: { origin: 'https://app.example' } })).status).toBe(403)
    } finally {
      await door.close()
    }
  })

  it('is refused without authentication that was asked for, or without the operator\'s word', async () => {
    await expect(openTestDoor({ settings: { dangerouslyAllowInsecureHttp: false } })).rejects.toThrow(TypeError)
    await expect(openTestDoor({ settings: WITH_AUTH })).rejects.toThrow(TypeError)
  })

  it('rejects when the port is taken', async () => {
    const door = await openTestDoor()
    const { values } = loadSettings({ env: { ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_ALLOW_INSECURE_HTTP: 'true' } })
    const app = createApp({ ...values, port: door.port }, { replace: { trail: null } })
    try {
      await expect(createHttpDoor({ app, version: '0', warn: () => {} }).listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
    } finally {
      await app.close()
      await door.close()
    }
  })

  it('publishes the metadata of a public URL with a path where RFC 9728 puts it', async () => {
    const door = await openTestDoor({ settings: { ...WITH_AUTH, serverPublicUrl: 'https://mcp.example/team/mcp' }, identity: namesAsTokens() })
    try {
      const path = '/.well-known/oauth-protected-resource/team/mcp'
      expect((await door.send({ body: rpc('ping') })).headers['www-authenticate']).toBe(`Bearer resource_metadata="https://mcp.example${path}"`)
      expect((await door.send({ method: 'GET', path })).json).toMatchObject({ resource: 'https://mcp.example/team/mcp' })
    } finally {
      await door.close()
    }
  })

  it('publishes the metadata of a public URL that ends with a slash where clients look for it', async () => {
    const door = await openTestDoor({ settings: { ...WITH_AUTH, serverPublicUrl: 'https://mcp.example/team/' }, identity: namesAsTokens() })
    try {
      for (const path of ['/team', '/team/']) {
        expect((await door.send({ method: 'GET', path: `/.well-known/oauth-protected-resource${path}` })).json).toMatchObject({ resource: 'https://mcp.example/team/' })
      }
    } finally {
      await door.close()
    }
  })
})

describe('a fault of the door itself', () => {
  it('is an internal error without a word of it, and one record', async () => {
    const identity = { verify: () => Promise.reject(new Error('SECRET')) }
    const door = await openTestDoor({ settings: WITH_AUTH, identity })
    try {
      const { status, json, text } = await door.send({ body: rpc('ping') })
      expect([status, json]).toEqual([500, { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'internal error' } }])
      expect(text).not.toContain('SECRET')
      expect(door.rows.map(({ outcome, code }) => `${outcome} ${code}`)).toEqual(['fault '])
    } finally {
      await door.close()
    }
  })
})
