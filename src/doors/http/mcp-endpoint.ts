/**
 * POST and DELETE /mcp: from the headers to the answer. Each step either goes on or refuses; what gets
 * through is one JSON-RPC message of a known caller, and becomes a call of the chain.
 */

import type { App } from '../../app/create-app.ts'
import type { Request } from '../../kernel/call.ts'
import type { ProtocolExtras } from '../mcp/extras.ts'
import { createLane } from '../mcp/lane.ts'
import { readMessage } from '../mcp/message.ts'
import type { Id, Message, Params } from '../mcp/message.ts'
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
  readonly extras: ProtocolExtras
  /** Present where authentication is on. */
  readonly resource: ProtectedResource | undefined
}

export interface McpEndpoint {
  serve(exchange: Exchange): Promise<void>
  /** The numbers, for the same callers. */
  metrics(exchange: Exchange): Promise<void>
  close(): Promise<void>
}

export function createMcpEndpoint({ app, version, authenticate, extras, resource }: EndpointParts): McpEndpoint {
  const { httpMaxBodyBytes, hotLane, askTimeoutSeconds, oauthStepUp } = app.settings
  const lane = createLane(app, version, extras)
  const line = createQuestionLine(askTimeoutSeconds * 1000)
  const library = createLibraryLane(app, version, extras)
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
    const fault = (exchange.request.method === 'POST' ? mediaFault(exchange.request) : undefined) ?? (await desk.check(exchange))
    if (fault) exchange.refuse(fault)
    return fault === undefined
  }

  /** The chain refuses and records what lacks a scope like any unknown name; the client is told the scope (RFC 6750 §3.1). */
  const stepUp = async (exchange: Exchange, id: Id, { request, scope }: ScopeGap): Promise<void> => {
    exchange.entered = true
    const outcome = await app.dispatch(request, exchange.caller, { door: 'http' })
    if (outcome.is !== 'refused') return exchange.fail()
    if (outcome.refusal.code !== 'component.unknown') return exchange.refuse(outcome.refusal.code, { id })
    const challenge = resource?.missing.replace(/^Bearer/, () => `Bearer error="insufficient_scope", scope="${scope}",`)
    exchange.refuse('auth.scope', { id, headers: { 'www-authenticate': challenge } })
  }

  const answer = async (exchange: Exchange, message: Deliverable): Promise<void> => {
    const { request } = exchange
    if (message.is === 'notification') return hotLane && isPlainNotification(request, message) ? exchange.accept() : library.deliver(exchange, message)
    if (message.method === SUBSCRIBE) return exchange.refuse('message.method', { id: message.id })
    if (desk.wants(exchange, message)) return exchange.refuse('http.session', { id: message.id, status: 400 })
    const gap = oauthStepUp && resource ? scopeGap(app, exchange, message) : undefined
    if (gap) return stepUp(exchange, message.id, gap)
    const introduction = hotLane ? plainIntroduction(request, message, lane) : undefined
    if (introduction !== undefined) {
      if (message.method === 'initialize') desk.open(exchange, message.params)
      return introduce(exchange, introduction)
    }
    const plain = hotLane ? plainRequest(request, message, lane) : undefined
    if (plain) return answerPlain({ app, lane, line, extras }, exchange, message.id, plain)
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

type ScopeGap = { readonly request: Request; readonly scope: string }

/** The scope that alone stands between a caller and what the message asks for. */
function scopeGap({ registry }: App, { caller: { scopes } }: Exchange, { method, params }: { readonly method: string; readonly params: Params }): ScopeGap | undefined {
  const request = toRequest(method, params)
  // A completion is never refused for what is not there, so it asks for nothing either.
  if (!request || request.kind === 'listing' || request.kind === 'completion') return undefined
  const [kind, name] = [request.kind, request.kind === 'resource' ? request.uri : request.name]
  const why = registry.view(scopes).find(kind, name) ? undefined : registry.why(kind, name)
  const entry = why?.reason === 'scope' ? registry.all.find(({ component, name: own }) => component.kind === kind && own === why.name) : undefined
  return entry && { request, scope: entry.scope }
}

const OWN_TERMS: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover'])

const termOf = (message: Message): string =>
  message.is === 'request' && OWN_TERMS.has(message.method) ? message.method : message.is === 'refused' ? 'request' : message.is

