/**
 * POST /mcp: from the headers to the answer. Each step either goes on or refuses; what gets through is one
 * JSON-RPC message of a known caller, and the protocol library turns it into a call of the chain.
 */

import { createMcpHandler } from '@modelcontextprotocol/server'
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { App } from '../../app/create-app.ts'
import type { Arrival } from '../../kernel/call.ts'
import { MISSING_CAPABILITY } from '../mcp/answers.ts'
import { createLane } from '../mcp/lane.ts'
import { readMessage } from '../mcp/message.ts'
import type { Id, Message } from '../mcp/message.ts'
import { isCallMethod, toRequest } from '../mcp/methods.ts'
import { createMcpServer } from '../mcp/server.ts'
import type { Authenticate } from './authenticate.ts'
import { Exchange } from './exchange.ts'
import { mediaFault, parseAccept } from './media.ts'
import { plainRequest } from './plain.ts'
import type { PlainRequest } from './plain.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { readText } from './read-body.ts'
import { relay } from './relay.ts'

export interface EndpointParts {
  readonly app: App
  readonly version: string
  readonly authenticate: Authenticate
  /** Present where authentication is on. */
  readonly resource: ProtectedResource | undefined
}

export interface McpEndpoint {
  serve(exchange: Exchange): Promise<void>
  close(): Promise<void>
}

const JSON_HEADERS = { 'content-type': 'application/json' } as const

type Deliverable = Extract<Message, { is: 'request' | 'notification' }>

export function createMcpEndpoint({ app, version, authenticate, resource }: EndpointParts): McpEndpoint {
  const { httpMaxBodyBytes, hotLane } = app.settings
  const lane = createLane(app, version)
  const handler = createMcpHandler(
    () => createMcpServer({
      app, version, door: 'http',
      callerOf: (context) => exchangeOf(context).caller,
      entered: (context) => void (exchangeOf(context).entered = true),
    }),
    { maxSubscriptions: 0 },
  )

  const admit = async (exchange: Exchange): Promise<boolean> => {
    const judged = await authenticate(exchange.request)
    if ('code' in judged) {
      const challenge = judged.code === 'auth.missing' ? resource?.missing : resource?.invalid
      exchange.refuse(judged.code, { reason: judged.reason, headers: { 'www-authenticate': challenge ?? 'Bearer' } })
      return false
    }
    exchange.caller = judged.caller
    const fault = mediaFault(exchange.request) ?? sessionFault(exchange)
    if (fault) exchange.refuse(fault)
    return fault === undefined
  }

  /** The hot lane: one dispatch, one text, no library. */
  const answer = async (exchange: Exchange, id: Id, { request, meta, era, asks }: PlainRequest): Promise<void> => {
    exchange.entered = true
    const arrival: Arrival = { door: 'http', onGone: (stop) => exchange.onClose(stop), ...asks, ...(meta.trace !== undefined && { trace: meta.trace }) }
    const outcome = await app.dispatch(request, exchange.caller, arrival)
    const { text, error } = lane.answer(id, request, outcome, { era, capabilities: asks.capabilities ?? {} })
    exchange.text(error?.code === MISSING_CAPABILITY ? 400 : 200, text, JSON_HEADERS)
  }

  const deliver = async (exchange: Exchange, message: Deliverable): Promise<void> => {
    const gone = new AbortController()
    exchange.onClose(() => {
      if (!exchange.response.writableFinished) gone.abort()
    })
    const answer = await handler.fetch(requestFor(exchange, gone.signal), { parsedBody: message.raw, authInfo: authInfoOf(exchange) })
    const id = message.is === 'request' ? message.id : null
    await relay(answer, exchange, { accepts: parseAccept(exchange.request.headers.accept), id })
    if (exchange.closed) exchange.note('refused', 'call.cancelled')
    else if (!exchange.response.headersSent) throw new Error('a message was left without an answer')
  }

  return {
    close: () => handler.close(),
    async serve(exchange) {
      if (!(await admit(exchange))) return
      const body = await readText(exchange, httpMaxBodyBytes)
      if ('fault' in body) return body.fault === 'call.cancelled' ? exchange.note('refused', body.fault) : exchange.refuse(body.fault)
      const message = accepted(exchange, readMessage(body.text))
      if (!message) return
      const plain = hotLane && message.is === 'request' ? plainRequest(exchange.request, message, lane) : undefined
      if (plain && message.is === 'request') await answer(exchange, message.id, plain)
      else await deliver(exchange, message)
    },
  }
}

/** This server keeps no sessions and hands out no id, so whoever names one is mistaken (2025-11-25, transports). */
const sessionFault = ({ request }: Exchange): 'http.session' | undefined =>
  request.headers['mcp-session-id'] === undefined ? undefined : 'http.session'

function accepted(exchange: Exchange, message: Message): Deliverable | undefined {
  exchange.subject = { kind: 'message', component: termOf(message) }
  switch (message.is) {
    case 'refused':
      exchange.refuse(message.code, { id: message.id })
      return undefined
    case 'response':
      exchange.refuse('message.unexpected')
      return undefined
    case 'notification':
      return message
    case 'request':
      if (message.method === SUBSCRIBE) return void exchange.refuse('message.method', { id: message.id })
      if (!isCallMethod(message.method) || toRequest(message.method, message.params)) return message
      // A well-formed question with wrong parameters is answered within the protocol (JSON-RPC 2.0 §5.1).
      exchange.refuse('input.invalid', { id: message.id, status: 200 })
      return undefined
  }
}

/** Nothing here changes in a way that could be subscribed to, and an idle stream would hold a connection. */
const SUBSCRIBE = 'subscriptions/listen'

const OWN_TERMS: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover'])

const termOf = (message: Message): string =>
  message.is === 'request' && OWN_TERMS.has(message.method) ? message.method : message.is === 'refused' ? 'request' : message.is

/** Headers that the protocol library reads. No other one reaches it. */
const PASSED_ON = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

function requestFor({ request }: Exchange, signal: AbortSignal): Request {
  // Both answers are accepted on the client's behalf: what it does not read, the relay turns into what it does.
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const name of PASSED_ON) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers, signal })
}

/** The token ends here: what goes on is who calls. */
const authInfoOf = (exchange: Exchange): AuthInfo => ({ token: '', clientId: exchange.caller.subject, scopes: [], extra: { exchange } })

function exchangeOf({ http }: ServerContext): Exchange {
  const exchange = http?.authInfo?.extra?.['exchange']
  if (!(exchange instanceof Exchange)) throw new TypeError('a call came in without its exchange')
  return exchange
}
