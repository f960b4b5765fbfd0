/** What one stdio client has said so far: its protocol era, and how it introduced itself. */

import type { App } from '../../app/create-app.ts'
import type { Arrival } from '../../kernel/call.ts'
import { messageError } from '../mcp/answers.ts'
import { claimsModern } from '../mcp/envelope.ts'
import type { PlainMeta } from '../mcp/envelope.ts'
import type { Era, Lane } from '../mcp/lane.ts'
import type { Pending, RequestMessage } from './line-transport.ts'

export interface Conversation {
  direct(request: RequestMessage, pending: Pending): string | Promise<string> | undefined
  /** The handshake that was answered here, for a library that starts later. */
  opening(): object | undefined
}

export interface ConversationParts {
  readonly app: App
  readonly lane: Lane
  write(line: string): void
}

export function createConversation({ app, lane, write }: ConversationParts): Conversation {
  let era: Era | undefined
  let opening: object | undefined

  /** The first request settles the era; a look around (`server/discover`) leaves it open. */
  const eraOf = ({ method, params }: RequestMessage): Era => {
    const claimed: Era = claimsModern(params) ? 'modern' : 'legacy'
    if (method !== 'server/discover' && method !== 'ping') era ??= claimed
    return era ?? claimed
  }

  const arrival = ({ progressToken, trace }: PlainMeta, pending: Pending): Arrival => ({
    door: 'stdio',
    onGone: (stop) => void (pending.stop = stop),
    ...(trace !== undefined && { trace }),
    ...(progressToken !== undefined && {
      progress: (progress: number, total?: number, message?: string) =>
        write(JSON.stringify({ method: 'notifications/progress', params: { progressToken, progress, total, message }, jsonrpc: '2.0' })),
    }),
  })

  return {
    opening: () => opening,
    direct(request, pending) {
      const now = eraOf(request)
      if (now === 'modern' && !claimsModern(request.params)) return refused(request, pending)
      const introduced = lane.introduce(request, now)
      if (introduced !== undefined) {
        if (request.method === 'initialize') opening = request.raw
        return introduced
      }
      const plain = lane.callOf(request, now)
      if (!plain) return undefined
      pending.entered = true
      return app.dispatch(plain.request, app.local, arrival(plain.meta, pending)).then((outcome) => lane.answer(request.id, plain.request, outcome, now))
    },
  }
}

/** A request without the envelope that its connection is pinned to (2026-07-28, basic: `_meta`). */
function refused({ id, method }: RequestMessage, pending: Pending): string {
  pending.code = method === 'initialize' ? 'message.method' : 'message.invalid'
  return JSON.stringify({ jsonrpc: '2.0', id, error: messageError(pending.code) })
}
