/**
 * Where the collector is, and the guarded way to it: a client that may reach this one host and port even where
 * they are internal, because the operator named them, and nothing else that is.
 */

import { createOperatorClient } from '../../exits/net/index.ts'
import type { Post } from './ports.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 65_536

export type Signal = 'traces' | 'metrics'

export interface Collector {
  readonly urls: Readonly<Record<Signal, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** The signal URLs below a base URL (OTLP 1.x, OTLP/HTTP endpoint), and the headers as they are sent. */
export function collectorOf(endpoint: string, pairs: readonly string[] = []): Collector {
  const below = (signal: Signal): string => {
    const url = new URL(endpoint)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal}`
    return url.href
  }
  const headers = { ...Object.fromEntries(pairs.map(headerOf)), 'content-type': 'application/json' }
  return { urls: { traces: below('traces'), metrics: below('metrics') }, headers }
}

/** A pair in the form of W3C Baggage §3.3.1, which the OTLP exporter specification borrows for headers. */
function headerOf(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Posts through the operator's client: addresses checked and pinned, TLS verified, no redirects.
 * @throws TypeError for an endpoint that is no URL.
 */
export function collectorPost(endpoint: string): Post {
  const { hostname, port, protocol } = new URL(endpoint)
  const hostPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
  const client = createOperatorClient({ internalHosts: [hostPort], userAgent: 'arrowhead' })
  return async (request) => {
    const { status, headers } = await client.request({ ...request, method: 'POST', maxBytes: MAX_ANSWER_BYTES, timeoutMs: TIMEOUT_MS })
    const after = headers['retry-after']
    return { status, ...(after !== undefined && /^\d{1,6}$/.test(after) && { retryAfterSeconds: Number(after) }) }
  }
}
