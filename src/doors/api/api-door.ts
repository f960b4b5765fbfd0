/**
 * The API of the assistant: HTTP on 127.0.0.1 alone. Limits first, then Host and Origin, the token, the route, the
 * media types and the body; each refusal is one small answer and one record, each call a call of the chain.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Assistant } from '../../app/assistant.ts'
import type { App } from '../../app/create-app.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { watchConnections } from '../http/connections.ts'
import { Exchange } from '../http/exchange.ts'
import { valuesOf } from '../http/fields.ts'
import { createHostOriginGuard } from '../http/host-origin.ts'
import { createListener, listenOn } from '../http/listener.ts'
import { pathOf } from '../http/routes.ts'
import { createBearer } from './bearer.ts'
import { createCalls } from './calls.ts'
import { createChats } from './chats.ts'
import { createHandlers } from './handlers.ts'
import type { LogReader } from './handlers.ts'
import { createPendingCalls } from './pending.ts'
import { routesAt } from './routes.ts'

export interface ApiDoorOptions {
  readonly app: App
  readonly assistant: Assistant
  /** Undefined serves without one, which the operator must have spelled. */
  readonly token: string | undefined
  readonly version: string
  /** The newest rows of the audit. */
  readonly logs: LogReader
}

export interface ApiDoor {
  /** @param port 0 lets the system choose. Rejects when it cannot be had. */
  listen(port: number): Promise<{ readonly url: string; readonly port: number }>
  /** Takes no more requests, ends those that run, then closes every connection. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'

export function createApiDoor({ app, assistant, token, version, logs }: ApiDoorOptions): ApiDoor {
  if (token === undefined && !app.settings.dangerouslyApiWithoutToken) throw new TypeError('the API without a token was not allowed')
  const { settings } = app
  const bearer = createBearer(token)
  const stop = new AbortController()
  const serving = new Set<Promise<void>>()
  const pending = createPendingCalls(settings.askTimeoutSeconds * 1000, Date.now)
  const calls = createCalls({ app, pending })
  let [guard, url, running] = [createHostOriginGuard({ host: HOST, allowedHosts: undefined, allowedOrigins: undefined }, settings.apiPort), '', 0]
  const handlers = createHandlers({ app, calls, chats: createChats(assistant, calls), logs, stop: stop.signal, document: () => ({ version, url }) })
  const note = (event: Parameters<App['note']>[0]): void => app.note({ ...event, door: 'api' })
  const ports = {
    note, closing: () => stop.signal.aborted, patienceMs: settings.httpRequestTimeoutSeconds * 1000,
    serving(work: Promise<void>) {
      serving.add(work)
      void work.then(() => serving.delete(work))
    },
  }

  const faultOf = (request: IncomingMessage): RefusalCode | undefined => {
    if (stop.signal.aborted) return 'http.draining'
    if (running > settings.httpMaxConnections) return 'http.busy'
    // Browsers say where a request is from even where they send no Origin (W3C Fetch Metadata §2.1).
    const site = valuesOf(request, 'sec-fetch-site')
    if (site.some((value) => value !== 'none' && value !== 'same-origin')) return 'http.origin'
    return guard.check(valuesOf(request, 'host'), valuesOf(request, 'origin'))
  }

  const serve = (exchange: Exchange): Awaitable<void> => {
    const { request } = exchange
    const fault = faultOf(request)
    if (fault) return exchange.refuse(fault)
    const found = routesAt(pathOf(request.url))
    const isOpen = found.some(({ route }) => route.work === 'health') && request.method === 'GET'
    const stranger = isOpen ? undefined : bearer(request)
    if (stranger) return exchange.refuse(stranger, { headers: { 'www-authenticate': 'Bearer' } })
    if (found.length === 0) return exchange.refuse('http.not-found')
    exchange.caller = app.local
    const match = found.find(({ route }) => route.method === request.method)
    if (!match) return exchange.refuse('http.method', { headers: { allow: found.map(({ route }) => route.method).join(', ') } })
    exchange.subject = { kind: 'http', component: `api-${match.route.work}` }
    return handlers.serve(exchange, match)
  }

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, ports)
    running += 1
    connections.add(exchange)
    exchange.onClose(() => void (running -= 1))
    exchange.run(() => serve(exchange))
  }

  const server = createListener(settings, take)
  const connections = watchConnections(server, note)
  return {
    async listen(port) {
      await listenOn(server, HOST, port)
      const bound = server.address()
      const own = bound !== null && typeof bound === 'object' ? bound.port : port
      guard = createHostOriginGuard({ host: HOST, allowedHosts: undefined, allowedOrigins: undefined }, own)
      url = `http://${HOST}:${own}`
      return { url, port: own }
    },
    async close() {
      stop.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.race([Promise.allSettled(serving), new Promise((resolve) => setTimeout(resolve, END_MS).unref())])
      server.closeAllConnections()
      await closed
    },
  }
}

const END_MS = 2_000
