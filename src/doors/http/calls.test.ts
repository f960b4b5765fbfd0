/** Calls through the HTTP door: whose answer goes where, what a disconnect ends, and what draining waits for. */

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ours } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import type { Tool } from '../../kernel/tool.ts'
import { WITH_AUTH, callTool, modern, namesAsTokens, openTestDoor, rpc } from './door.fixture.ts'
import type { TestDoor } from './door.fixture.ts'

/** What a program that mounts the door knows of a request, in the way in which instrumentation hands it on. */
const tenant = new AsyncLocalStorage<string>()

/** A promise, and the hand that settles it. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

const tool = (name: string, run: Tool['run']): Tool =>
  defineTool({
    name, title: name, summary: 'For a test.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 10_000, uses: [],
    input: z.strictObject({}), output: z.strictObject({ said: ours(z.string()) }), examples: [],
    touches: () => [],
    run: (input, services, context) => run(input, services as never, context) as Promise<{ said: string }>,
  })

describe.each([[true], [false]])('calls over HTTP, with the hot lane: %s', (hotLane) => {
  let door: TestDoor
  let started = gate()
  let finish = gate()
  let stopped = gate()
  let waiting = 0

  beforeEach(async () => {
    waiting = 0
    started = gate()
    finish = gate()
    stopped = gate()
    const tools = [
      tool('whoami', async (_input, _services, { subject }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
        return { said: subject }
      }),
      tool('tenant', async () => ({ said: tenant.getStore() ?? '' })),
      tool('wait', async (_input, _services, { signal }) => {
        signal.addEventListener('abort', () => stopped.open())
        waiting += 1
        started.open()
        await finish.opened
        return { said: 'done' }
      }),
      tool('steps', async (_input, _services, context) => {
        for (let done = 1; done <= 3; done += 1) {
          context.progress(done, 3)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        return { said: 'done' }
      }),
    ]
    const settings = { ...WITH_AUTH, hotLane, httpDrainSeconds: 5, rateLimitEnabled: false, maxConcurrentCalls: 500 }
    door = await openTestDoor({ settings, identity: namesAsTokens(), tools })
  })
  afterEach(async () => {
    finish.open()
    await door.close()
  })

  const as = (name: string) => ({ authorization: `Bearer ${name}` })

  it('gives each of two hundred callers with the same id its own answer, in both eras', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 40 })
    const asked = Array.from({ length: 200 }, async (_, at) => {
      const call = at % 2 === 0 ? { body: callTool('whoami'), headers: {} } : modern('tools/call', { name: 'whoami', arguments: {} })
      const { json } = await door.send({ ...call, headers: { ...call.headers, ...as(`u${at}`) }, agent })
      return [`u${at}`, json]
    })
    for (const [name, json] of await Promise.all(asked)) expect(json).toMatchObject({ id: 1, result: { structuredContent: { said: name } } })
    agent.destroy()
  })

  it.each([['2025-11-25', { body: callTool('wait'), headers: {} }], ['2026-07-28', modern('tools/call', { name: 'wait', arguments: {} })]])(
    'stops the work when the client of %s leaves, with the call\'s own record alone', async (_era, call) => {
      const leave = new AbortController()
      const sent = door.send({ ...call, headers: { ...call.headers, ...as('alice') }, signal: leave.signal })
      await started.opened
      leave.abort()
      await expect(sent).rejects.toThrow()
      await stopped.opened
      await expect.poll(() => door.rows.map(({ kind, component, code }) => `${kind} ${component} ${code}`)).toEqual(['tool wait call.cancelled'])
    })

  it('runs each call in the asynchronous context of its own request, where a program has mounted the door', async () => {
    const server = createServer((request, response) => {
      tenant.run(String(request.headers['x-tenant']), () => {
        const on = request.on.bind(request)
        request.on = (name: string, listener: Parameters<typeof on>[1]) => on(name, AsyncResource.bind(listener))
        door.door.handle(request, response)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const body = JSON.stringify(callTool('tenant'))
    const said = await Promise.all(Array.from({ length: 16 }, (_, at) => new Promise<string>((resolve) => {
      const headers = `host: 127.0.0.1:${door.port}\r\nx-tenant: t${at}\r\nauthorization: Bearer alice\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(`POST /mcp HTTP/1.1\r\n${headers}\r\n\r\n`))
      // Bodies of all of them arrive in one turn.
      setTimeout(() => socket.write(body), 100)
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk)).once('close', () => resolve(/"said":"(\w*)"/.exec(text)?.[1] ?? text))
    })))
    expect(said).toEqual(said.map((_, at) => `t${at}`))
    server.close()
  })

  it('streams progress to a client that reads events, and only the answer to one that does not', async () => {
    const call = callTool('steps')
    const withToken = { ...call, params: { ...(call as { params: object }).params, _meta: { progressToken: 'p' } } }
    const streamed = await door.send({ body: withToken, headers: as('alice') })
    expect(streamed.headers['content-type']).toBe('text/event-stream')
    expect(streamed.text.match(/notifications\/progress/g)?.length).toBeGreaterThan(0)
    expect(streamed.json).toMatchObject({ id: 1, result: { structuredContent: { said: 'done' } } })
    const plain = await door.send({ body: withToken, headers: { ...as('alice'), accept: 'application/json' } })
    expect(plain.headers['content-type']).toBe('application/json')
    expect(plain.json).toMatchObject({ id: 1, result: { structuredContent: { said: 'done' } } })
  })

  it('lets a running call end while it drains, and refuses new ones on open connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const running = door.send({ body: callTool('wait'), headers: as('alice') })
    await started.opened
    const idle = await door.send({ body: rpc('ping'), headers: as('alice'), agent })
    expect(idle.headers['connection']).not.toBe('close')
    const early = door.send({ body: callTool('wait'), headers: as('alice'), agent })
    await expect.poll(() => waiting).toBe(2)

    const drained = door.door.drain()
    const late = expect(door.send({ body: rpc('ping'), headers: as('alice'), agent })).rejects.toThrow()
    await expect(door.send({ body: rpc('ping'), headers: as('alice') })).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
    finish.open()
    const [first, second] = await Promise.all([running, early])
    for (const { json, headers } of [first, second]) {
      expect(json).toMatchObject({ result: { structuredContent: { said: 'done' } } })
      expect(headers['connection']).toBe('close')
    }
    await late
    await drained
    expect(door.door.addresses()).toEqual([])
    agent.destroy()
  })
})

describe('draining', () => {
  it('has left the record of a request that it cut off half-way when it is over', async () => {
    const door = await openTestDoor({ settings: { httpDrainSeconds: 0.2 } })
    const socket = connect(door.port, '127.0.0.1').on('error', () => {})
    socket.write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\ncontent-type: application/json\r\ncontent-length: 500\r\nexpect: 100-continue\r\n\r\n`)
    await once(socket, 'data')
    socket.write('{"json')
    await door.door.drain()
    expect(door.rows.map(({ code }) => code)).toEqual(['call.cancelled'])
    await door.close()
  })

  it('answers 503 on a connection that is still in use, and gives up on calls that take too long', async () => {
    const started = gate()
    const stuck = tool('stuck', async () => {
      started.open()
      return new Promise(() => {})
    })
    const door = await openTestDoor({ settings: { httpDrainSeconds: 0.5 }, tools: [stuck] })
    const socket = connect(door.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const request = (body: string): string => `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

    const other = door.send({ body: callTool('stuck') }).catch(() => 'ended')
    await started.opened
    const half = request(JSON.stringify(rpc('ping')))
    socket.write(half.slice(0, 40))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const drained = door.door.drain()
    socket.write(half.slice(40))
    await closed
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*http\.draining/)
    await drained
    expect(await other).toBe('ended')
    expect(door.rows.map(({ code }) => code)).toEqual(['http.draining', 'call.cancelled'])
    await door.close()
  })
})
