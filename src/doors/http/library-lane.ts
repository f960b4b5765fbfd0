/** The slower way of a message: through the protocol library, which is loaded by the first message that needs it. */

import type { AuthInfo, McpHttpHandler, ServerContext } from '@modelcontextprotocol/server'
import type { App } from '../../app/create-app.ts'
import { NO_EXTRAS } from '../mcp/extras.ts'
import type { ProtocolExtras } from '../mcp/extras.ts'
import type { Message } from '../mcp/message.ts'
import { Exchange } from './exchange.ts'
import { parseAccept } from './media.ts'
import { relay } from './relay.ts'

export type Deliverable = Extract<Message, { is: 'request' | 'notification' }>

export interface LibraryLane {
  /** @param onResult runs before the head of an answer that is no error and of no call. */
  deliver(exchange: Exchange, message: Deliverable, onResult?: () => void): Promise<void>
  close(): Promise<void>
}

export function createLibraryLane(app: App, version: string, extras: ProtocolExtras): LibraryLane {
  let loaded: Promise<McpHttpHandler> | undefined

  const load = async (): Promise<McpHttpHandler> => {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([import('@modelcontextprotocol/server'), import('../mcp/server.ts')])
    return createMcpHandler(
      ({ era }) => createMcpServer({
        app, version, door: 'http', isModern: era === 'modern', extras: era === 'modern' ? NO_EXTRAS : extras,
        callerOf: (context) => exchangeOf(context).caller,
        entered: (context) => void (exchangeOf(context).entered = true),
      }),
      { maxSubscriptions: 0 },
    )
  }

  return {
    async deliver(exchange, message, onResult = () => {}) {
      const handler = await (loaded ??= load())
      const gone = new AbortController()
      exchange.onClose(() => {
        if (!exchange.response.writableFinished) gone.abort()
      })
      const answer = await handler.fetch(requestFor(exchange, gone.signal), { parsedBody: message.raw, authInfo: authInfoOf(exchange) })
      const id = message.is === 'request' ? message.id : null
      await relay(answer, exchange, { accepts: parseAccept(exchange.request.headers.accept), id, onResult })
      if (exchange.closed) exchange.note('refused', 'call.cancelled')
      else if (!exchange.response.headersSent) throw new Error('a message was left without an answer')
    },
    close: async () => (await loaded)?.close(),
  }
}

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
