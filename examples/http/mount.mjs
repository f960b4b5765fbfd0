// The MCP endpoint inside an application that has its own server: Express, Fastify and Hono, each in a few lines. The
// door needs the request as it came in, so nothing may parse the body of its route before.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createArrowhead } from 'arrowhead'
import { createHttpDoor } from 'arrowhead/http'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'

const arrowhead = createArrowhead(
  // For a trial on loopback: in earnest, authEnabled and an identity (openIdentity of arrowhead/http).
  { transport: 'http', dangerouslyAllowInsecureHttp: true, allowedHosts: ['127.0.0.1:3001', '127.0.0.1:3002', '127.0.0.1:3003'], allowedOrigins: [] },
  { dataDir: mkdtempSync(join(tmpdir(), 'arrowhead-example-')) },
)
const door = createHttpDoor({ app: arrowhead.app, version: '1.0.0', warn: console.warn })

const inExpress = express()
inExpress.all('/mcp', (request, response) => door.handle(request, response))
inExpress.get('/hello', (_, response) => response.send('hello'))

const inFastify = Fastify()
await inFastify.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/mcp', (request, reply) => {
    reply.hijack()
    door.handle(request.raw, reply.raw)
  })
})
inFastify.get('/hello', async () => 'hello')

const inHono = new Hono()
inHono.all('/mcp', ({ env }) => {
  door.handle(env.incoming, env.outgoing)
  return RESPONSE_ALREADY_SENT
})
inHono.get('/hello', ({ text }) => text('hello'))

await inFastify.ready()
const servers = { 3001: createServer(inExpress), 3002: inFastify.server, 3003: createServer(getRequestListener(inHono.fetch)) }
for (const [port, server] of Object.entries(servers)) {
  await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/hello`)).text(), 'hello')
  const ask = (headers = {}) => fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'calculate', arguments: { expression: '6 * 7' } } }),
  })
  assert.match(await (await ask()).text(), /"result":42/)
  // The door's own guards are there too: a page of another origin gets nothing.
  assert.equal((await ask({ origin: 'https://evil.example' })).status, 403)
  console.log(`${port}: answered`)
}
for (const server of Object.values(servers)) {
  server.closeAllConnections()
  server.close()
}
await door.drain()
await arrowhead.close()
