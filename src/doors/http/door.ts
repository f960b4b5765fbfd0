/**
 * The HTTP door: streamable HTTP on `node:http`. Limits first, then the route, Host and Origin, the caller, the
 * media types, the body, the message; each refusal is one small answer and one record.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { App } from '../../app/create-app.ts'
import { createAuthenticate } from './authenticate.ts'
import type { TokenVerifier } from './authenticate.ts'
import { watchConnections } from './connections.ts'
import { Exchange } from './exchange.ts'
import { createHostOriginGuard } from './host-origin.ts'
import type { HostOriginGuard } from './host-origin.ts'
import { createMcpEndpoint } from './mcp-endpoint.ts'
import { protectedResource } from './protected-resource.ts'
import { MCP_PATH, createRoutes, pathOf } from './routes.ts'
import type { Route } from './routes.ts'

export interface HttpDoorOptions {
  readonly app: App
  /** Needed where authentication is on. */
  readonly identity?: TokenVerifier
  readonly version: string
  /** Takes one sentence for the operator. */
  warn(text: string): void
}

export interface HttpDoor {
  /** @returns where clients connect, and the address listened on. Rejects when it cannot be had. */
  listen(): Promise<{ readonly url: string; readonly address: string; readonly port: number }>
  /** Takes no more requests, lets running ones end within the time of the settings, then closes every connection. */
  drain(): Promise<void>
  /** What this door listens on; nothing before `listen` and after `drain`. */
  addresses(): readonly { readonly address: string; readonly port: number }[]
}

const PREFLIGHT_SECONDS = 600
const READ_HEADERS = 'www-authenticate, mcp-session-id'
const SENT_HEADERS = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, traceparent'

/** @throws TypeError when authentication is off without the operator's word for it, or on without an identity. */
export function createHttpDoor({ app, identity, version, warn }: HttpDoorOptions): HttpDoor {
  const { settings } = app
  if (!settings.authEnabled && !settings.dangerouslyAllowInsecureHttp) throw new TypeError('HTTP without authentication was not allowed')
  const resource = settings.authEnabled ? protectedResource(settings) : undefined
  const endpoint = createMcpEndpoint({ app, version, authenticate: createAuthenticate(app, identity), resource })
  const routes = createRoutes(resource?.paths ?? [])
  let guard: HostOriginGuard = createHostOriginGuard(settings, settings.port)
  let draining = false
  let onIdle = (): void => {}
  const running = new Set<Exchange>()
  const ports = { note: app.note, closing: () => draining }

  const answers: Readonly<Record<Route['name'], (exchange: Exchange) => void | Promise<void>>> = {
    mcp: (exchange) => endpoint.serve(exchange),
    health: (exchange) => exchange.json(200, { status: 'ok' }),
    ready: (exchange) => exchange.json(draining ? 503 : 200, { status: draining ? 'draining' : 'ready' }),
    metadata: (exchange) => exchange.json(200, resource?.document ?? {}, { 'access-control-allow-origin': '*' }),
  }

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange
    const route = routes.get(pathOf(request.url))
    if (!route) return exchange.refuse(draining ? 'http.draining' : 'http.not-found')
    exchange.on(route.name)
    if (draining && route.guarded) return exchange.refuse('http.draining')
    if (running.size > settings.httpMaxConnections) return exchange.refuse('http.busy')
    if (!route.methods.includes(request.method ?? '')) return exchange.refuse('http.method', { headers: { allow: route.methods.join(', ') } })
    const fault = route.guarded ? guard.check(request.headersDistinct['host'] ?? [], request.headersDistinct['origin'] ?? []) : undefined
    if (fault) return exchange.refuse(fault)
    if (route.guarded) allowReading(exchange, guard)
    if (request.method === 'OPTIONS') return preflight(exchange, route, guard)
    return answers[route.name](exchange)
  }

  const take = (request: IncomingMessage, response: ServerResponse): Exchange => {
    const exchange = new Exchange(request, response, ports)
    running.add(exchange)
    response.once('close', () => {
      running.delete(exchange)
      if (running.size === 0) onIdle()
    })
    serve(exchange).catch(() => {
      exchange.note('fault', '')
      exchange.json(500, { error: 'internal', message: 'internal error' })
    })
    return exchange
  }

  const server = openServer(app, take)
  const addresses: HttpDoor['addresses'] = () => {
    const bound = server.address()
    return bound !== null && typeof bound === 'object' ? [{ address: bound.address, port: bound.port }] : []
  }

  return {
    addresses,
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(settings.port, bareHost(settings.host), () => {
          server.off('error', reject)
          resolve()
        })
      })
      const [{ address, port } = { address: settings.host, port: settings.port }] = addresses()
      guard = createHostOriginGuard(settings, port)
      if (guard.unchecked.length > 0) warn(`requests are not checked against ${guard.unchecked.join(' and ')}: set them to the names clients use`)
      return { url: `http://${urlHost(address)}:${port}${MCP_PATH}`, address, port }
    },
    async drain() {
      draining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await within(settings.httpDrainSeconds * 1000, (done) => (running.size === 0 ? done() : void (onIdle = done)))
      server.closeAllConnections()
      await endpoint.close()
      await closed
    },
  }
}

const CHECK_MS = 1_000

function openServer({ settings, note }: App, take: (request: IncomingMessage, response: ServerResponse) => Exchange): Server {
  const [headersTimeout, requestTimeout] = [settings.httpHeaderTimeoutSeconds * 1000, settings.httpRequestTimeoutSeconds * 1000]
  const server = createServer({
    maxHeaderSize: settings.httpMaxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.max(20, Math.min(CHECK_MS, headersTimeout / 4)),
    keepAlive: true,
    // A missing Host is refused here, with a record.
    requireHostHeader: false,
  })
  server.maxConnections = settings.httpMaxConnections
  // The size of the header section is bounded; a count would drop headers in silence, Origin among them.
  server.maxHeadersCount = 0
  const latest = watchConnections(server, note)
  const accept = (request: IncomingMessage, response: ServerResponse): void => latest(request.socket, take(request, response))
  server.on('request', accept)
  server.on('checkContinue', (request, response) => {
    accept(request, response)
    if (!response.headersSent) response.writeContinue()
  })
  server.on('checkExpectation', accept)
  return server
}

export type Latest = (socket: Duplex, exchange: Exchange) => void

function allowReading({ request, response }: Exchange, guard: HostOriginGuard): void {
  const { origin } = request.headers
  response.setHeader('vary', 'Origin')
  if (origin === undefined || !guard.mayRead(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', READ_HEADERS)
}

/** The CORS protocol's question before a request (Fetch §3.3), asked without a token. */
function preflight(exchange: Exchange, { name, methods }: Route, guard: HostOriginGuard): void {
  const { origin } = exchange.request.headers
  if (name === 'mcp' && origin !== undefined && !guard.mayRead(origin)) return exchange.refuse('http.origin')
  exchange.text(204, '', {
    allow: methods.join(', '),
    ...(name === 'metadata' && { 'access-control-allow-origin': '*' }),
    'access-control-allow-methods': name === 'mcp' ? 'POST' : 'GET',
    'access-control-allow-headers': SENT_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  })
}

const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '')

const urlHost = (address: string): string => {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return address.includes(':') ? `[${address}]` : address
}

/** Resolves when `wait` says done, at the latest after `ms`. */
const within = (ms: number, wait: (done: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wait(() => {
      clearTimeout(timer)
      resolve()
    })
  })
