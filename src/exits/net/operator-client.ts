/**
 * The way to endpoints that the operator configured: key sets, collectors, models. A separate object from `Egress`,
 * so no tool can reach its one privilege: the exact endpoints named at construction may be internal.
 */

import { Refusal, refusal } from '../../kernel/refusal.ts'
import { parseEgressUrl } from '../../policy/egress-rules.ts'
import { createConnector } from './connector.ts'
import { withDeadline } from './deadline.ts'
import type { AnswerHead, HttpMethod } from './exchange.ts'
import { exchange } from './exchange.ts'
import type { GateOptions } from './gate.ts'
import { createGate } from './gate.ts'
import { checkLimit } from './limits.ts'
import type { Connector } from './ports.ts'

export interface OperatorClientOptions extends GateOptions {
  /** Exact `host:port` pairs, IPv6 in brackets, that skip the host list, the port list and the address class. */
  readonly internalHosts: readonly string[]
  readonly userAgent: string
  readonly connector?: Connector | undefined
}

export interface OperatorRequest {
  readonly method: HttpMethod
  readonly url: string
  /** Any case. Host, connection and length headers are not the caller's to set. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  readonly signal: AbortSignal
  /** Decoded bytes of the response body. */
  readonly maxBytes: number
  /** Wall time for the whole request. */
  readonly timeoutMs: number
  /** Takes the decoded bytes of the body as they come, and the body answered is empty; false ends the reading at once. */
  readonly receive?: ((chunk: Uint8Array, head: Pick<OperatorResponse, 'status' | 'headers'>) => boolean) | undefined
}

export interface OperatorResponse {
  readonly status: number
  /** Lower-case names; the first value where a field is repeated. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface OperatorClient {
  /**
   * One request, no redirects: a credential stays with the endpoint it was meant for.
   *
   * @throws Refusal as `Egress.get` does; a redirect is `egress.redirects`. TypeError for a bad limit or header.
   */
  request(request: OperatorRequest): Promise<OperatorResponse>
}

const OURS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const ownHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase()
      if (OURS.has(lower)) throw new TypeError('a header that belongs to the connection was set')
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        throw new TypeError('a header cannot be sent as it is')
      }
      return [lower, value]
    }),
  )

const isRedirect = ({ status }: AnswerHead): boolean => status >= 300 && status < 400 && status !== 304

/** @throws TypeError for a list entry that cannot be applied. */
export const createOperatorClient = (options: OperatorClientOptions): OperatorClient => {
  const { userAgent, internalHosts, connector = createConnector() } = options
  const gate = createGate(options, { exempt: internalHosts, forbidden: [] })

  const send = async (request: OperatorRequest, signal: AbortSignal): Promise<OperatorResponse> => {
    const url = parseEgressUrl(request.url)
    if (url instanceof Refusal) throw url
    const { method, body: content, maxBytes, receive } = request
    const headers = { accept: '*/*', 'user-agent': userAgent, ...ownHeaders(request.headers ?? {}) }
    const address = await gate(url)
    const skipsBody = isRedirect
    const answer = await exchange({ url, address, connector, method, headers, content, maxBytes, signal, skipsBody, receive })
    if (isRedirect(answer)) throw refusal('egress.redirects', undefined, 'not-followed')
    return answer
  }

  return {
    request: async (request) => {
      checkLimit('maxBytes', request.maxBytes)
      checkLimit('timeoutMs', request.timeoutMs)
      return withDeadline(request.signal, request.timeoutMs, (signal) => send(request, signal))
    },
  }
}
