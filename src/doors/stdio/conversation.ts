/** What one stdio client has said so far: its protocol era, and how it introduced itself. */

import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Arrival, Outcome } from '../../kernel/call.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { messageError } from '../mcp/answers.ts'
import { claimsModern } from '../mcp/envelope.ts'
import { NO_EXTRAS, mayTell } from '../mcp/extras.ts'
import type { Era } from '../mcp/answers.ts'
import type { Lane, PlainCall } from '../mcp/lane.ts'
import { createQuestionLine } from '../mcp/question-line.ts'
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
      if (introduced !== undefined) {
        if (request.method === 'initialize') {
          opening = request.raw
          handshake = request.params['capabilities'] as Capabilities
        }
        return introduced
      }
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

/** A request without the envelope that its connection is pinned to (2026-07-28, basic: `_meta`). */
function refused({ id, method }: RequestMessage, pending: Pending): string {
  pending.code = method === 'initialize' ? 'message.method' : 'message.invalid'
  return JSON.stringify({ jsonrpc: '2.0', id, error: messageError(pending.code) })
}
