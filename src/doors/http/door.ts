/**
 * The HTTP door: streamable HTTP on `node:http`. Limits first, then the route, Host and Origin, the caller, the
 * media types, the body, the message; each refusal is one small answer and one record.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { NO_EXTRAS } from '../mcp/extras.ts'
import type { ProtocolExtras } from '../mcp/extras.ts'
import { createAuthenticate } from './authenticate.ts'
import type { TokenVerifier } from './authenticate.ts'
import { watchConnections } from './connections.ts'
import { allowReading, preflight } from './cors.ts'
import { Exchange } from './exchange.ts'
import { valuesOf } from './fields.ts'
import { createForwarding } from './forwarded.ts'
import { createHostOriginGuard } from './host-origin.ts'
import { createListener, listenOn, urlHost } from './listener.ts'
import { createMcpEndpoint } from './mcp-endpoint.ts'
import { protectedResource } from './protected-resource.ts'
import { MountError } from './read-body.ts'
import { MCP_PATH, createRoutes, pathOf } from './routes.ts'
import type { RouteName } from './routes.ts'

export interface HttpDoorOptions {
  readonly app: App
  /** Needed where authentication is on. */
  readonly identity?: TokenVerifier
  readonly version: string
  /** For protocol test suites: parts of the handshake era that are otherwise not served. @default none */
  readonly extras?: ProtocolExtras
  /** Takes one sentence for the operator. */
  warn(text: string): void
}

export interface HttpDoor {
  /** @returns where clients connect, and the address listened on. Rejects when it cannot be had. */
  listen(): Promise<{ readonly url: string; readonly address: string; readonly port: number }>
  /**
   * Answers one request of a server that is not this door's own: Express, Fastify, Hono, `node:http`. Its body must not
   * have been read, and its URL must be the whole one. How long headers may take is that server's to bound.
   */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Takes no more requests, lets running ones end within the time of the settings, then closes every connection. */
  drain(): Promise<void>
  /** What this door listens on; nothing before `listen` and after `drain`. */
  addresses(): readonly { readonly address: string; readonly port: number }[]
}

/** @throws TypeError when authentication is off without the operator's word for it, or on without an identity. */
export function createHttpDoor({ app, identity, version, extras = NO_EXTRAS, warn }: HttpDoorOptions): HttpDoor {
  const { settings } = app
  if (!settings.authEnabled && !settings.dangerouslyAllowInsecureHttp) throw new TypeError('HTTP without authentication was not allowed')
  const resource = settings.authEnabled ? protectedResource(settings) : undefined
  const endpoint = createMcpEndpoint({ app, version, authenticate: createAuthenticate(app, identity), extras, resource })
  const routes = createRoutes(resource?.paths ?? [], app.metrics !== undefined)
  let guard = createHostOriginGuard(settings, settings.port)
  const forwarding = createForwarding(settings.httpTrustedProxies)
  let draining = false
  let onIdle = (): void => {}
  let running = 0
  let isTold = false
  const serving = new Set<Promise<void>>()
  const ports = {
    note: (event: Parameters<App['note']>[0]) => app.note(event), closing: () => draining, patienceMs: settings.httpRequestTimeoutSeconds * 1000,
    serving(work: Promise<void>) {
      serving.add(work)
      void work.then(() => serving.delete(work))
    },
    // How a program calls the door wrongly is the same with every request, and is said once.
    failed(error: unknown) {
      if (!(error instanceof MountError) || isTold) return
      isTold = true
      warn(error.message)
    },
  }

  const answers: Readonly<Record<RouteName, (exchange: Exchange) => Awaitable<void>>> = {
    mcp: (exchange) => endpoint.serve(exchange),
    metrics: (exchange) => endpoint.metrics(exchange),
    health: (exchange) => exchange.json(200, { status: 'ok' }),
    ready: (exchange) => after(readiness(), (state) => exchange.json(draining ? 503 : 200, state)),
    metadata: (exchange) => exchange.json(200, resource?.document ?? {}, { 'access-control-allow-origin': '*' }),
  }

  /** What is degraded still serves: taking a replica away because of an outage would spread it. */
  const readiness = (): Awaitable<object> => {
    if (draining) return { status: 'draining' }
    return after(app.degraded(), (parts) => (parts.length > 0 ? { status: 'degraded', parts } : { status: 'ready' }))
  }

  const serve = (exchange: Exchange): Awaitable<void> => {
    const { request } = exchange
    const { method = '', url } = request
    const route = routes.get(pathOf(url))
    if (!route) return exchange.refuse('http.not-found')
    exchange.on(route.name)
    if (!route.methods.includes(method)) return exchange.refuse('http.method', { headers: { allow: route.methods.join(', ') } })
    if (route.guarded) {
      if (draining) return exchange.refuse('http.draining')
      if (running > settings.httpMaxConnections) return exchange.refuse('http.busy')
      const fault = guard.check(forwarding.hosts(request), valuesOf(request, 'origin'))
      if (fault === 'http.host' && forwarding.isUnbelieved(request)) return exchange.refuse(fault, { hint: PROXY_HINT, reason: 'forwarded' })
      if (fault) return exchange.refuse(fault)
      allowReading(exchange, guard)
    }
    return method === 'OPTIONS' ? preflight(exchange, route, guard) : answers[route.name](exchange)
  }

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, ports)
    running += 1
    connections.add(exchange)
    exchange.onClose(() => {
      running -= 1
      if (running === 0) onIdle()
    })
    exchange.run(() => serve(exchange))
  }

  const server = createListener(settings, take)
  const connections = watchConnections(server, ports.note)
  const addresses: HttpDoor['addresses'] = () => {
    const bound = server.address()
    return bound !== null && typeof bound === 'object' ? [{ address: bound.address, port: bound.port }] : []
  }

  return {
    addresses,
    handle: take,
    async listen() {
      await listenOn(server, settings.host, settings.port)
      const [{ address, port } = { address: settings.host, port: settings.port }] = addresses()
      guard = createHostOriginGuard(settings, port)
      if (guard.unchecked.length > 0) warn(`no request is checked against ${guard.unchecked.join(' and ')}: set what clients may name`)
      return { url: `http://${urlHost(address)}:${port}${MCP_PATH}`, address, port }
    },
    async drain() {
      draining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await within(settings.httpDrainSeconds * 1000, (done) => (running === 0 ? done() : void (onIdle = done)))
      server.closeAllConnections()
      // Requests that were cut off half-way leave their records as well.
      await within(CUT_OFF_MS, (done) => (running === 0 ? done() : void (onIdle = done)))
      await endpoint.close()
      await closed
      // Calls that were cut off leave their records before this is over.
      await within(CUT_OFF_MS, (done) => void Promise.allSettled(serving).then(done))
    },
  }
}

const PROXY_HINT = 'a proxy in front must pass Host on, send one that is listed, or be named as trusted'
const CUT_OFF_MS = 1_000

/** Resolves when `wait` says done, at the latest after `ms`. */
const within = (ms: number, wait: (done: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wait(() => {
      clearTimeout(timer)
      resolve()
    })
  })
