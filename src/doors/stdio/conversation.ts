/** What one stdio client has said so far: its protocol era, and how it introduced itself. */

import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Arrival, Outcome } from '../../kernel/call.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { INVALID_PARAMS, messageError } from '../mcp/answers.ts'
import { claimsModern } from '../mcp/envelope.ts'
import { NO_EXTRAS, mayTell } from '../mcp/extras.ts'
import type { Era } from '../mcp/answers.ts'
import type { Lane, PlainCall } from '../mcp/lane.ts'
import { CALL_METHODS } from '../mcp/methods.ts'
import { createQuestionLine } from '../mcp/question-line.ts'
import { TASK_METHODS } from '../mcp/tasks.ts'
import type { Pending, RequestMessage } from './line-transport.ts'

export interface Conversation {
  direct(request: RequestMessage, pending: Pending): string | Promise<string> | undefined
  /** The handshake that was answered here, for a library that starts later. */
  opening(): object | undefined
  /** Takes an answer to a question; false where none is open under its id. */
  reply(response: object): boolean
}

export interface ConversationParts {
  readonly app: App
  readonly lane: Lane
  write(line: string): void
}

export function createConversation({ app, lane, write }: ConversationParts): Conversation {
  let era: Era | undefined
  let opening: object | undefined
  let handshake: Capabilities = {}
  const line = createQuestionLine(app.settings.askTimeoutSeconds * 1000)

  /** The first request settles the era; a look around (`server/discover`) leaves it open. */
  const eraOf = ({ method, params }: RequestMessage): Era => {
    const claimed: Era = claimsModern(params) ? 'modern' : 'legacy'
    if (method !== 'server/discover' && method !== 'ping') era ??= claimed
    return era ?? claimed
  }

  const arrival = ({ meta: { progressToken, parent }, asks }: PlainCall, pending: Pending, now: Era): Arrival => ({
    door: 'stdio',
    ...(now === 'modern' ? asks : { capabilities: handshake, ask: (questions) => line.ask(questions, { capabilities: handshake, send: (message) => write(JSON.stringify(message)) }) }),
    tell: (method, params) => {
      if (mayTell(method, NO_EXTRAS)) write(JSON.stringify({ method, params, jsonrpc: '2.0' }))
    },
    onGone: (stop) => void (pending.stop = stop),
    ...(parent && { parent }),
    ...(progressToken !== undefined && {
      progress: (progress: number, total?: number, message?: string) =>
        write(JSON.stringify({ method: 'notifications/progress', params: { progressToken, progress, total, message }, jsonrpc: '2.0' })),
    }),
  })

  return {
    opening: () => opening,
    reply: (response) => line.take(response, ''),
    direct(request, pending) {
      const now = eraOf(request)
      if (now === 'modern' && !claimsModern(request.params)) return refused(request, pending)
      const introduced = lane.introduce(request, now)
      if (request.method === 'initialize') {
        // What the client can be asked counts for the calls that are answered here, whoever answers the handshake.
        handshake = (request.params['capabilities'] ?? {}) as Capabilities
        if (introduced !== undefined) opening = request.raw
      }
      if (introduced !== undefined) return introduced
      const plain = lane.callOf(request, now)
      if (!plain) return undefined
      pending.entered = true
      const from = arrival(plain, pending, now)
      const client = { era: now, capabilities: from.capabilities ?? {} }
      const worded = (outcome: Outcome): string => lane.answer(request.id, plain.request, outcome, client).text
      return after(app.dispatch(plain.request, app.local, from), worded)
    },
  }
}

/** What a sessionless client may ask for, if it says who it is. */
const MODERN_METHODS: ReadonlySet<string> = new Set([...CALL_METHODS, ...TASK_METHODS, 'server/discover', 'subscriptions/listen'])

/** A request without the envelope that its connection is pinned to (2026-07-28, basic: `_meta`): of a method that this era has, its parameters are wrong. */
function refused({ id, method }: RequestMessage, pending: Pending): string {
  const isServed = MODERN_METHODS.has(method)
  pending.code = isServed ? 'message.invalid' : 'message.method'
  return JSON.stringify({ jsonrpc: '2.0', id, error: { ...messageError(pending.code), ...(isServed && { code: INVALID_PARAMS }) } })
}
