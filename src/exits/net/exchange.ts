/**
 * One HTTP/1.1 request over one connection to one pinned address. Knows nothing of redirects or policy;
 * sends only the headers it is given and keeps nothing open afterwards.
 */

import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { isSameAddress, parseAddress } from '../../policy/address.ts'
import { hostOf, portOf } from '../../policy/egress-rules.ts'
import { ACCEPT_ENCODING, readBody } from './body.ts'
import type { Connection, Connector } from './ports.ts'

const MAX_HEADER_BYTES = 16_384

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ExchangeOptions {
  readonly url: URL
  /** The checked address; the only one that is dialled. */
  readonly address: string
  readonly connector: Connector
  readonly method: HttpMethod
  /** Lower-case names. Host, length and encoding are set here. */
  readonly headers: Readonly<Record<string, string>>
  readonly content?: string | Uint8Array | undefined
  /** Decoded bytes of the response body. */
  readonly maxBytes: number
  /** Takes the start of a longer body instead of refusing it. */
  readonly cuts?: boolean
  /** Its reason must be a Refusal. */
  readonly signal: AbortSignal
  /** Takes the decoded bytes as they come, instead of the answer; false when nothing more is wanted. */
  readonly receive?: ((chunk: Uint8Array, head: AnswerHead) => boolean) | undefined
  /** Answers whose body is of no interest and is not read. */
  readonly skipsBody: (head: AnswerHead) => boolean
}

export interface AnswerHead {
  readonly status: number
  /** Lower-case names; the first value where a field is repeated. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Answer extends AnswerHead {
  readonly body: Buffer
}

type HeaderValue = string | readonly string[] | undefined

const connect = async ({ url, address, connector, signal }: ExchangeOptions): Promise<Connection> => {
  const secure = url.protocol === 'https:'
  const connection = await connector({ address, port: portOf(url), secure, name: hostOf(url), signal })
  const reached = parseAddress(connection.remoteAddress ?? '')
  const pinned = parseAddress(address)
  if (reached !== undefined && pinned !== undefined && isSameAddress(reached, pinned)) return connection
  connection.on('error', () => undefined).destroy()
  throw refusal('egress.unreachable', undefined, 'peer')
}

/** Loaded on first use: a server that never fetches does not pay for an HTTP client at start. */
const openClient = async (options: ExchangeOptions): Promise<Client> => {
  const { Client: HttpClient } = await import('./http-client.ts')
  let isDialled = false
  return new HttpClient(options.url.origin, {
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: (_, callback) => {
      // A retry inside the client would be a second connection that nobody asked for.
      if (isDialled) return callback(new Error('already dialled'), null)
      isDialled = true
      // The client needs the stream and no more; a test may hand it one that is no socket.
      connect(options).then(
        (connection) => callback(null, connection as Socket),
        (error: Error) => callback(error, null),
      )
    },
  })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Any failure of the network as a refusal; the message of the cause stays here. */
const asRefusal = (error: unknown, signal: AbortSignal): Refusal => {
  if (signal.aborted && signal.reason instanceof Refusal) return signal.reason
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (/HEADERS?_OVERFLOW/.test(code)) return refusal('egress.too-large', undefined, 'headers')
  if (/^(?:Z_|ERR__|ERR_BROTLI)/.test(code)) return refusal('egress.encoding', undefined, 'corrupt')
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return refusal('egress.unreachable', undefined, 'tls')
  return refusal('egress.unreachable', undefined, 'connection')
}

const flatten = (headers: Readonly<Record<string, HeaderValue>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : (value?.[0] ?? '')]),
  )

/** All values of a field in one list, as they mean the same (RFC 9110 §5.3). */
const listed = (value: HeaderValue): string => (typeof value === 'string' ? value : (value ?? ['identity']).join(','))

/**
 * @throws Refusal `egress.unreachable` (`connection`, `peer`, `tls`), `egress.too-large` (`body`, `headers`),
 *   `egress.encoding` (`unknown`, `corrupt`), or the reason of the signal.
 */
export const exchange = async (options: ExchangeOptions): Promise<Answer> => {
  const { url, method, headers, content, maxBytes, cuts = false, signal, skipsBody, receive } = options
  signal.throwIfAborted()
  const client = await openClient(options)
  try {
    const response = await client.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'accept-encoding': ACCEPT_ENCODING },
      body: content ?? null,
      signal,
    })
    const head = { status: response.statusCode, headers: flatten(response.headers) }
    if (skipsBody(head)) {
      response.body.on('error', () => undefined).destroy()
      return { ...head, body: Buffer.alloc(0) }
    }
    const take = receive && ((chunk: Uint8Array) => receive(chunk, head))
    const body = await readBody(response.body, listed(response.headers['content-encoding']), { maxBytes, cuts, receive: take })
    return { ...head, body }
  } catch (error) {
    throw asRefusal(error, signal)
  } finally {
    void client.destroy()
  }
}
