/** Whatever is refused leaves exactly one record, in words of our own. */

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WITH_AUTH, callTool, namesAsTokens, openTestDoor, rpc } from './door.fixture.ts'
import type { SendOptions, TestDoor } from './door.fixture.ts'

const ALICE = { authorization: 'Bearer alice' }
const PING = rpc('ping')

const CASES: readonly (readonly [what: string, request: SendOptions, record: string])[] = [
  ['a path that is not served', { method: 'GET', path: '/EVIL' }, 'http unknown refused http.not-found  '],
  ['a method that is not served', { method: 'GET' }, 'http mcp refused http.method  '],
  ['a foreign host', { body: PING, headers: { ...ALICE, host: 'evil.test' } }, 'http mcp refused http.host  '],
  ['a foreign origin', { body: PING, headers: { ...ALICE, origin: 'https://evil.test' } }, 'http mcp refused http.origin  '],
  ['no token', { body: PING }, 'http mcp refused auth.missing  '],
  ['a wrong token', { body: PING, headers: { authorization: 'Bearer EVIL!' } }, 'http mcp refused auth.invalid malformed '],
  ['two tokens', { body: PING, headers: { authorization: ['Bearer alice', 'Bearer bob'] } }, 'http mcp refused auth.invalid repeated '],
  ['a media type', { body: PING, headers: { ...ALICE, 'content-type': 'text/plain' } }, 'http mcp refused http.media-type  alice'],
  ['an answer that is not served', { body: PING, headers: { ...ALICE, accept: 'text/html' } }, 'http mcp refused http.not-acceptable  alice'],
  ['a session', { body: PING, headers: { ...ALICE, 'mcp-session-id': 'EVIL' } }, 'http mcp refused http.session  alice'],
  ['a large body', { body: ' '.repeat(10_001), headers: ALICE }, 'http mcp refused http.too-large  alice'],
  ['no JSON', { body: 'EVIL', headers: ALICE }, 'message request refused message.not-json  alice'],
  ['a batch', { body: [PING], headers: ALICE }, 'message request refused message.batch  alice'],
  ['no JSON-RPC', { body: { EVIL: 1 }, headers: ALICE }, 'message request refused message.invalid  alice'],
  ['a key twice', { body: '{"jsonrpc":"2.0","id":1,"method":"ping","id":2}', headers: ALICE }, 'message request refused message.duplicate-key  alice'],
  ['an answer', { body: { jsonrpc: '2.0', id: 1, result: {} }, headers: ALICE }, 'message response refused message.unexpected  alice'],
  ['a method of nobody', { body: rpc('EVIL'), headers: ALICE }, 'message request refused message.method  alice'],
  ['a subscription', { body: rpc('subscriptions/listen'), headers: ALICE }, 'message request refused message.method  alice'],
  ['a version of nobody', { body: PING, headers: { ...ALICE, 'mcp-protocol-version': 'EVIL' } }, 'message ping refused message.invalid  alice'],
  ['a call that is none', { body: rpc('tools/call', { name: 7 }), headers: ALICE }, 'message request refused input.invalid  alice'],
  ['an initialize that is none', { body: rpc('initialize'), headers: ALICE }, 'message initialize refused input.invalid  alice'],
  ['a ping', { body: PING, headers: ALICE }, 'message ping ok   alice'],
  ['a notification', { body: { jsonrpc: '2.0', method: 'EVIL' }, headers: ALICE }, 'message notification ok   alice'],
  ['a call', { body: callTool('calculate', { expression: '1' }), headers: ALICE }, 'tool calculate ok   alice'],
  ['a call of nothing', { body: callTool('EVIL'), headers: ALICE }, 'tool unknown refused component.unknown unknown alice'],
]

describe.each([[true], [false]])('records of the HTTP door, with the hot lane: %s', (hotLane) => {
  let door: TestDoor

  beforeAll(async () => {
    door = await openTestDoor({ settings: { ...WITH_AUTH, hotLane, httpMaxBodyBytes: 10_000, rateLimitEnabled: false }, identity: namesAsTokens() })
  })
  afterAll(() => door.close())

  it.each(CASES)('%s leaves one record', async (_what, request, record) => {
    const before = door.rows.length
    await door.send(request)
    const rows = door.rows.slice(before)
    expect(rows.map(({ kind, component, outcome, code, reason, caller }) => [kind, component, outcome, code, reason, caller].join(' '))).toEqual([record])
    expect(rows.map(({ door: by }) => by)).toEqual(['http'])
    expect(JSON.stringify(rows)).not.toContain('EVIL')
  })

  it('a client that leaves in the middle of its message leaves one record', async () => {
    const before = door.rows.length
    const socket = connect(door.port, '127.0.0.1')
    const part = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\ncontent-type: application/json\r\nauthorization: Bearer alice\r\ncontent-length: 100\r\n\r\n{"json`
    // Only what was handed to the system reaches the door: a socket that is given up before takes its bytes along.
    await new Promise((resolve) => socket.write(part, resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await expect.poll(() => door.rows.slice(before).map(({ code, caller }) => `${code} ${caller}`)).toEqual(['call.cancelled alice'])
  })
})
