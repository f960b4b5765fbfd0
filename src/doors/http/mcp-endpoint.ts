/**
 * POST and DELETE /mcp: from the headers to the answer. Each step either goes on or refuses; what gets
 * through is one JSON-RPC message of a known caller, and becomes a call of the chain.
 */

import type { App } from '../../app/create-app.ts'
import { claimsModern } from '../mcp/envelope.ts'
import { createLane } from '../mcp/lane.ts'
import { readMessage } from '../mcp/message.ts'
import type { Message, Params } from '../mcp/message.ts'
import { isCallMethod, toRequest } from '../mcp/methods.ts'
import { createQuestionLine } from '../mcp/question-line.ts'
import type { Authenticate } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import { createLibraryLane } from './library-lane.ts'
import type { Deliverable } from './library-lane.ts'
import { mediaFault } from './media.ts'
import { isPlainNotification, plainIntroduction, plainRequest } from './plain.ts'
import { answerPlain, introduce } from './plain-lane.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { readText } from './read-body.ts'
import { createSessionDesk } from './session-desk.ts'

export interface EndpointParts {
  readonly app: App
  readonly version: string
  readonly authenticate: Authenticate
  /** Present where authentication is on. */
  readonly resource: ProtectedResource | undefined
}

export interface McpEndpoint {
  serve(exchange: Exchange): Promise<void>
  /** The numbers, for the same callers. */
  metrics(exchange: Exchange): Promise<void>
  close(): Promise<void>
}

export function createMcpEndpoint({ app, version, authenticate, resource }: EndpointParts): McpEndpoint {
  const { httpMaxBodyBytes, hotLane, askTimeoutSeconds } = app.settings
  const lane = createLane(app, version)
  const line = createQuestionLine(askTimeoutSeconds * 1000)
  const library = createLibraryLane(app, version)
  const desk = createSessionDesk(app)

  const identify = async (exchange: Exchange): Promise<boolean> => {
    const judged = await authenticate(exchange.request)
    if ('code' in judged) {
      const challenge = judged.code === 'auth.missing' ? resource?.missing : resource?.invalid
      exchange.refuse(judged.code, { reason: judged.reason, headers: { 'www-authenticate': challenge ?? 'Bearer' } })
      return false
    }
    exchange.caller = judged.caller
    return true
  }

  const admit = async (exchange: Exchange): Promise<boolean> => {
    if (!(await identify(exchange))) return false
    const fault = (exchange.request.method === 'POST' ? mediaFault(exchange.request) : undefined) ?? desk.check(exchange)
    if (fault) exchange.refuse(fault)
    return fault === undefined
  }

  const answer = async (exchange: Exchange, message: Deliverable): Promise<void> => {
    const { request } = exchange
    if (message.is === 'notification') return hotLane && isPlainNotification(request, message) ? exchange.accept() : library.deliver(exchange, message)
    if (message.method === SUBSCRIBE) return exchange.refuse('message.method', { id: message.id })
    if (desk.wants(exchange, message)) return exchange.refuse('http.session', { id: message.id, status: 400 })
    if (!claimsModern(message.params) && message.method === 'initialize') desk.open(exchange, message.params)
    const introduction = hotLane ? plainIntroduction(request, message, lane) : undefined
    if (introduction !== undefined) return introduce(exchange, introduction)
    const plain = hotLane ? plainRequest(request, message, lane) : undefined
    if (plain) return answerPlain({ app, lane, line }, exchange, message.id, plain)
    return library.deliver(exchange, message)
  }

  return {
    close: () => library.close(),
    async metrics(exchange) {
      if (!(await identify(exchange))) return
      const text = await app.metrics?.().catch(() => undefined)
      if (text === undefined) return exchange.refuse('http.draining')
      exchange.note('ok', '')
      exchange.text(200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
    async serve(exchange) {
      if (!(await admit(exchange))) return
      if (exchange.request.method === 'DELETE') return desk.end(exchange)
      const body = await readText(exchange, httpMaxBodyBytes)
      if ('fault' in body) return body.fault === 'call.cancelled' ? exchange.note('refused', body.fault) : exchange.refuse(body.fault)
      const message = readMessage(body.text)
      exchange.subject = { kind: 'message', component: termOf(message) }
      if (message.is === 'refused') return exchange.refuse(message.code, { id: message.id })
      if (message.is === 'response') return line.take(message.raw, exchange.caller.bucket) ? exchange.accept() : exchange.refuse('message.unexpected')
      // A well-formed question with wrong parameters is answered within the protocol (JSON-RPC 2.0 §5.1).
      if (message.is === 'request' && hasWrongParams(message)) return exchange.refuse('input.invalid', { id: message.id, status: 200 })
      await answer(exchange, message)
    },
  }
}

/** Nothing here changes in a way that could be subscribed to, and an idle stream would hold a connection. */
const SUBSCRIBE = 'subscriptions/listen'

const hasWrongParams = ({ method, params }: { readonly method: string; readonly params: Params }): boolean =>
  isCallMethod(method) && toRequest(method, params) === undefined

const OWN_TERMS: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover'])

const termOf = (message: Message): string =>
  message.is === 'request' && OWN_TERMS.has(message.method) ? message.method : message.is === 'refused' ? 'request' : message.is

