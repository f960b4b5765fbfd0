/** What a client that does not play along gets: an answer where one can be given, and never the server's end. */

import { connect } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDoor, rpc, sendRaw } from './door.fixture.ts'
import type { TestDoor } from './door.fixture.ts'

/** Short for a test, and long for a busy machine: whoever is not slow must not be taken for it. */
const IMPATIENT = { httpHeaderTimeoutSeconds: 1, httpRequestTimeoutSeconds: 2 }
const SMALL = { httpMaxBodyBytes: 100_000, httpMaxHeaderBytes: 4_096 }

let door: TestDoor
const head = (...lines: readonly string[]): string =>
  ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${door.port}`, 'content-type: application/json', ...lines, '', ''].join('\r\n')
const lives = async (): Promise<void> => expect((await door.send({ body: rpc('ping') })).status).toBe(200)
const lastCode = (): unknown => door.rows.at(-1)?.code

describe('the patience of the HTTP door', () => {
  beforeAll(async () => {
    door = await openTestDoor({ settings: IMPATIENT })
  })
  afterAll(() => door.close())

  it('answers 408 to headers that do not come to an end', async () => {
    expect(await sendRaw(door.port, 'POST /mcp HTTP/1.1\r\nhost: x')).toMatch(/^HTTP\/1\.1 408 /)
    expect(lastCode()).toBe('http.slow')
    await lives()
  })

  it('ends a connection on which nothing is ever sent', async () => {
    expect(await sendRaw(door.port)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('answers 408 to a body that does not come to an end, once', async () => {
    const before = door.rows.length
    const answer = await sendRaw(door.port, head('content-length: 100'), '{"jsonrpc"')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(door.rows.slice(before).map(({ code }) => code)).toEqual(['http.slow'])
  })

})

describe('limits of the HTTP door', () => {
  beforeAll(async () => {
    door = await openTestDoor({ settings: SMALL })
  })
  afterAll(() => door.close())

  it('answers 413 to a declared body that is too large, before it is sent', async () => {
    expect(await sendRaw(door.port, head('content-length: 100001'))).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/)
    expect(lastCode()).toBe('http.too-large')
  })

  it('answers what has no body in its answer, although the request still brings one', async () => {
    const lines = (method: string): string => `${method} /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await sendRaw(door.port, lines('OPTIONS'), '1\r\nx\r\n0\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 [\s\S]*connection: close/)
    expect(await sendRaw(door.port, lines('HEAD'), '1\r\nx\r\n0\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 [\s\S]*connection: close\r\n[\s\S]*\r\n\r\n$/)
  })

  it('takes a body of exactly the limit', async () => {
    const message = JSON.stringify(rpc('ping'))
    expect((await door.send({ body: message + ' '.repeat(100_000 - message.length) })).status).toBe(200)
  })

  it('answers 431 to a header section that is too large', async () => {
    expect((await door.send({ body: rpc('ping'), headers: { 'x-padding': 'x'.repeat(5_000) } })).status).toBe(431)
    await lives()
  })

  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n'],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a length beside chunks', 'POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a header with a line break', 'GET /health HTTP/1.1\r\nhost: x\r\nx-a: b\nc\r\n\r\n'],
  ])('answers 400 to %s, with one record', async (_what, bytes) => {
    const before = door.rows.length
    expect(await sendRaw(door.port, bytes)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"message\.invalid"/)
    expect(door.rows.slice(before).map(({ kind, component }) => `${kind} ${component}`)).toEqual(['http connection'])
  })

  it('answers 400 to chunks that are none, once', async () => {
    const before = door.rows.length
    expect(await sendRaw(door.port, head('transfer-encoding: chunked'), 'zzz\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(door.rows.slice(before).map(({ code }) => code)).toEqual(['message.invalid'])
  })

  it('refuses a request without a Host, or with two', async () => {
    const end = 'connection: close\r\ncontent-length: 0\r\n\r\n'
    expect(await sendRaw(door.port, `POST /mcp HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await sendRaw(door.port, `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nhost: 127.0.0.1:${door.port}\r\n${end}`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await sendRaw(door.port, `POST /mcp HTTP/1.0\r\n${end}`)).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('asks for the body of a careful client only when it will be read', async () => {
    const body = JSON.stringify(rpc('ping'))
    expect((await door.send({ body, headers: { expect: '100-continue' } })).status).toBe(200)
    const refused = await sendRaw(door.port, head('expect: 100-continue', 'content-length: 10', 'mcp-session-id: x'))
    expect(refused).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('answers pipelined requests in their order', async () => {
    const parts = [1, 2, 3, 4, 5].map((id) => {
      const body = JSON.stringify(rpc('ping', {}, id))
      return head(`content-length: ${body.length}`, ...(id === 5 ? ['connection: close'] : [])) + body
    })
    const answer = await sendRaw(door.port, parts.join(''))
    expect([...answer.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3', '4', '5'])
  })

  it.each([
    ['deep nesting', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}}`, 400],
    ['a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', 400],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['nothing', '', 400],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400],
    ['a key twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', 400],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', 400],
  ])('answers %s clearly', async (_what, body, status) => {
    const reply = await door.send({ body })
    expect(reply.status).toBe(status)
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.stringMatching(/^message\./) } })
    await lives()
  })

  it('answers a thousand random messages, each with one record and without a fault', async () => {
    const before = door.rows.length
    const message = fc.oneof(
      fc.json(),
      fc.string(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.oneof(fc.string(), fc.constantFrom('ping', 'initialize', 'tools/call')), params: fc.jsonValue() }).map((value) => JSON.stringify(value)),
    )
    await fc.assert(fc.asyncProperty(message, async (body) => {
      const { status } = await door.send({ body })
      expect([200, 202, 400, 404]).toContain(status)
    }), { numRuns: 1_000 })
    const rows = door.rows.slice(before)
    expect(rows).toHaveLength(1_000)
    expect(rows.filter(({ outcome }) => outcome === 'fault')).toEqual([])
  })
})

describe('connections of the HTTP door', () => {
  it('are closed beyond the limit, and noted', async () => {
    const door = await openTestDoor({ settings: { httpMaxConnections: 2 } })
    try {
      const held = await Promise.all([0, 1].map(() => new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(door.port, '127.0.0.1', () => resolve(socket))
      })))
      await expect(door.send({ body: rpc('ping') })).rejects.toThrow()
      expect(door.rows.map(({ code }) => code)).toEqual(['http.busy'])
      for (const socket of held) socket.destroy()
    } finally {
      await door.close()
    }
  })
})

describe('a body that is too large', () => {
  it('is answered 413 when it turns out so, and at fifty megabytes', async () => {
    const door = await openTestDoor({ settings: { httpMaxBodyBytes: 100_000 } })
    const endless = { headers: { 'transfer-encoding': 'chunked' } }
    try {
      expect((await door.send({ ...endless, body: ' '.repeat(100_001) })).status).toBe(413)
      expect((await door.send({ ...endless, body: ' '.repeat(50_000_000) })).status).toBe(413)
      expect((await door.send({ body: Buffer.alloc(50_000_000, ' ') })).status).toBe(413)
      expect((await door.send({ body: rpc('ping') })).status).toBe(200)
      expect(door.rows.map(({ code }) => code)).toEqual(['http.too-large', 'http.too-large', 'http.too-large', ''])
    } finally {
      await door.close()
    }
  })
})
