/** What a page of a listed origin is told (Fetch §3.3). Without a list, no page may read anything. */

import type { Exchange } from './exchange.ts'
import type { HostOriginGuard } from './host-origin.ts'
import type { Route } from './routes.ts'

const PREFLIGHT_SECONDS = 600
const READ_HEADERS = 'www-authenticate, mcp-session-id'
const SENT_HEADERS = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, traceparent'

/** Lets the page read whatever the answer will be, a refusal included. */
export function allowReading({ request, extra }: Exchange, guard: HostOriginGuard): void {
  const { origin } = request.headers
  extra.push('vary', 'Origin')
  if (origin === undefined || !guard.mayRead(origin)) return
  extra.push('access-control-allow-origin', origin, 'access-control-expose-headers', READ_HEADERS)
}

/** The question before a request, which carries no token. */
export function preflight(exchange: Exchange, { guarded, methods }: Route, guard: HostOriginGuard): void {
  const { origin } = exchange.request.headers
  if (guarded && origin !== undefined && !guard.mayRead(origin)) return exchange.refuse('http.origin')
  exchange.text(204, '', {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
    'access-control-allow-headers': SENT_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
    ...(!guarded && { 'access-control-allow-origin': '*' }),
  })
}
