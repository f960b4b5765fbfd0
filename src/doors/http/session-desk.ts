/**
 * Session ids of the handshake era (2025-11-25, transports §session management) without sessions: the id
 * itself says, sealed, what its client can be asked. Whoever shows one that is not theirs has none.
 */

import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { isObject } from '../../kernel/json-object.ts'
import { claimsModern } from '../mcp/envelope.ts'
import type { Capabilities } from '../../kernel/question.ts'
import type { Params } from '../mcp/message.ts'
import type { Exchange } from './exchange.ts'

const SESSION_HEADER = 'mcp-session-id'
/** Requests that need no session, whatever the settings say. */
const FREE: ReadonlySet<string> = new Set(['initialize', 'ping'])

export interface SessionDesk {
  /** Judges the id that a request shows, and keeps what it says. */
  check(exchange: Exchange): Awaitable<'http.session' | undefined>
  /** Whether a request must show an id and does not, or opens a session inside one. */
  wants(exchange: Exchange, message: { readonly method: string; readonly params: Params }): boolean
  /** Gives an id with the answer to a handshake, where there is anything to remember. */
  open(exchange: Exchange, params: Params): void
  end(exchange: Exchange): Promise<void>
}

export function createSessionDesk({ settings, sessions }: Pick<App, 'settings' | 'sessions'>): SessionDesk {
  return {
    check(exchange) {
      const id = exchange.request.headers[SESSION_HEADER]
      if (id === undefined) return undefined
      return after(typeof id === 'string' ? sessions.find(id, exchange.caller.bucket) : undefined, (found) => {
        exchange.capabilities = found
        return found ? undefined : 'http.session'
      })
    },

    wants({ capabilities }, { method, params }) {
      if (claimsModern(params)) return false
      if (method === 'initialize') return capabilities !== undefined
      return !settings.statelessHttp && capabilities === undefined && !FREE.has(method)
    },

    open(exchange, { capabilities }) {
      const askable = askableOf(capabilities)
      if (settings.statelessHttp && Object.keys(askable).length === 0) return
      exchange.extra.push(SESSION_HEADER, sessions.open(exchange.caller.bucket, askable))
    },

    async end(exchange) {
      const id = exchange.request.headers[SESSION_HEADER]
      if (typeof id !== 'string') return exchange.refuse('http.method', { headers: { allow: 'POST, DELETE, OPTIONS' } })
      await sessions.end(id, exchange.caller.bucket)
      exchange.note('ok', '')
      exchange.text(204, '')
    },
  }
}

/** What is worth remembering of a client's capabilities: what it can be asked. */
function askableOf(declared: unknown): Capabilities {
  if (typeof declared !== 'object' || declared === null) return {}
  const { elicitation, sampling, roots } = declared as Record<string, unknown>
  const form = isObject(elicitation) && (isObject(elicitation['form']) || !isObject(elicitation['url']))
  const url = isObject(elicitation) && isObject(elicitation['url'])
  return {
    ...(isObject(elicitation) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(isObject(sampling) && { sampling: {} }),
    ...(isObject(roots) && { roots: {} }),
  }
}
