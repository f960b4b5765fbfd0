/**
 * POST and DELETE /mcp: from the headers to the answer. Each step either goes on or refuses; what gets
 * through is one JSON-RPC message of a known caller, and becomes a call of the chain.
 */

import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
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
import type { Body } from './read-body.ts'
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
  serve(exchange: Exchange): Awaitable<void>
  /** The numbers, for the same callers. */
  metrics(exchange: Exchange): Awaitable<void>
  close(): Promise<void>
}

export function createMcpEndpoint({ app, version, authenticate, extras, resource }: EndpointParts): McpEndpoint {
  const { httpMaxBodyBytes, hotLane, askTimeoutSeconds, oauthStepUp } = app.settings
  const lane = createLane(app, version, extras)
  const line = createQuestionLine(askTimeoutSeconds * 1000, app.bus)
  const library = createLibraryLane(app, version, extras)
  const desk = createSessionDesk(app)

  /** Goes on with what has a caller. */
  const identified = (exchange: Exchange, next: () => Awaitable<void>): Awaitable<void> =>
    after(authenticate(exchange.request), (judged) => {
      if ('code' in judged) {
        const challenge = judged.code === 'auth.missing' ? resource?.missing : resource?.invalid
        return exchange.refuse(judged.code, { reason: judged.reason, headers: { 'www-authenticate': challenge ?? 'Bearer' } })
      }
      exchange.caller = judged.caller
      return next()
    })

  /** Goes on with what has a caller, the right media types and, if any, a session of its own. */
  const admitted = (exchange: Exchange, next: () => Awaitable<void>): Awaitable<void> =>
    identified(exchange, () => {
      const fault = exchange.request.method === 'POST' ? mediaFault(exchange.request) : undefined
      return after(fault ?? desk.check(exchange), (no) => (no ? exchange.refuse(no) : next()))
    })

  /** The chain refuses and records what lacks a scope like any unknown name; the client is told the scope (RFC 6750 §3.1). */
  const stepUp = async (exchange: Exchange, id: Id, { request, scope }: ScopeGap): Promise<void> => {
    exchange.entered = true
    const outcome = await app.dispatch(request, exchange.caller, { door: 'http' })
    if (outcome.is !== 'refused') return exchange.fail()
    if (outcome.refusal.code !== 'component.unknown') return exchange.refuse(outcome.refusal.code, { id })
    const challenge = resource?.missing.replace(/^Bearer/, () => `Bearer error="insufficient_scope", scope="${scope}",`)
    exchange.refuse('auth.scope', { id, headers: { 'www-authenticate': challenge } })
  }

  const answer = (exchange: Exchange, message: Deliverable): Awaitable<void> => {
    const { request } = exchange
    if (message.is === 'notification') return hotLane && isPlainNotification(request, message) ? exchange.accept() : library.deliver(exchange, message)
    if (message.method === SUBSCRIBE) return exchange.refuse('message.method', { id: message.id })
    if (desk.wants(exchange, message)) return exchange.refuse('http.session', { id: message.id, status: 400 })
    const gap = oauthStepUp && resource ? scopeGap(app, exchange, message) : undefined
    if (gap) return stepUp(exchange, message.id, gap)
    const plain = hotLane ? plainRequest(request, message, lane) : undefined
    if (plain) return answerPlain({ app, lane, line, extras }, exchange, message.id, plain)
    const open = (): void => {
      if (message.method === 'initialize') desk.open(exchange, message.params)
    }
    const introduction = hotLane ? plainIntroduction(request, message, lane) : undefined
    if (introduction === undefined) return library.deliver(exchange, message, open)
    open()
    return introduce(exchange, introduction)
  }

  const take = (exchange: Exchange, body: Body): Awaitable<void> => {
    if ('fault' in body) return body.fault === 'call.cancelled' ? exchange.note('refused', body.fault) : exchange.refuse(body.fault)
    const message = readMessage(body.text)
    exchange.subject = { kind: 'message', component: termOf(message) }
    if (message.is === 'refused') return exchange.refuse(message.code, { id: message.id })
    if (message.is === 'response') return takeReply(exchange, message.raw)
    // A well-formed question with wrong parameters is answered within the protocol (JSON-RPC 2.0 §5.1).
    if (message.is === 'request' && hasWrongParams(message)) return exchange.refuse('input.invalid', { id: message.id, status: 200 })
    return answer(exchange, message)
  }

  const takeReply = (exchange: Exchange, raw: object): Awaitable<void> => {
    const judge = (taken: boolean): void => (taken ? exchange.accept() : exchange.refuse('message.unexpected'))
    const { bucket } = exchange.caller
    const taken = line.take(raw, bucket)
    return taken || !app.bus ? judge(taken) : line.forward(raw, bucket).then(judge)
  }

  const showMetrics = async (exchange: Exchange): Promise<void> => {
    const text = await app.metrics?.().catch(() => undefined)
    if (text === undefined) return exchange.refuse('http.draining')
    exchange.note('ok', '')
    exchange.text(200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  }

  return {
    close: () => {
      line.close()
      return library.close()
    },
    metrics: (exchange) => identified(exchange, () => showMetrics(exchange)),
    serve: (exchange) =>
      admitted(exchange, () => {
        if (exchange.request.method === 'DELETE') return desk.end(exchange)
        return readText(exchange, httpMaxBodyBytes, (body) => {
          if ('fault' in body) return take(exchange, body)
          // Behind everything else that has arrived: see docs/decisions/one-turn.md.
          setImmediate(() => exchange.run(() => take(exchange, body)))
        })
      }),
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

