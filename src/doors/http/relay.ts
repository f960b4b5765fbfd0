/**
 * Carries an answer of the protocol library to the client: plain JSON, unless progress or notes come first and
 * the client reads event streams.
 */

import type { Id } from '../mcp/message.ts'
import { dataOf, frameOf, readFrames } from './events.ts'
import type { Exchange } from './exchange.ts'
import type { Accepts } from './media.ts'
import { judgeError } from '../mcp/protocol-error.ts'
import type { RpcError } from '../mcp/protocol-error.ts'

const EVENT_STREAM = 'text/event-stream'
const STREAM_HEADERS = { 'content-type': EVENT_STREAM, 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

export interface RelayOptions {
  readonly accepts: Accepts
  /** Of the request that is answered; null for a notification. */
  readonly id: Id | null
  /** Hears of a result that no call gave, before the head of its answer is written. */
  onResult(): void
}

/** Resolves when the answer is handed over, or the client is gone. */
export async function relay(answer: Response, exchange: Exchange, options: RelayOptions): Promise<void> {
  const { body, headers, status } = answer
  if (body === null) {
    if (status === ACCEPTED) exchange.note('ok', '')
    exchange.text(status, '')
  } else if (headers.get('content-type')?.startsWith(EVENT_STREAM)) await relayEvents(body, exchange, options)
  else finish(exchange, await answer.text(), { ...options, status })
}

const [OK, ACCEPTED] = [200, 202]

async function relayEvents(body: ReadableStream<Uint8Array>, exchange: Exchange, options: RelayOptions): Promise<void> {
  let streams = false
  for await (const frame of readFrames(body)) {
    if (exchange.closed) return
    const data = dataOf(frame)
    if (data !== undefined && isAnswer(data)) {
      if (!streams) return finish(exchange, data, { ...options, status: OK })
      exchange.response.end(frameOf(checked(exchange, data, { ...options, status: OK })))
      return
    }
    if (!options.accepts.events) continue
    if (!streams) exchange.head(OK, STREAM_HEADERS)
    streams = true
    await exchange.write(frame)
  }
  if (streams) exchange.response.end()
}

/** Notifications and questions of the server name a method; the answer does not. */
const isAnswer = (data: string): boolean => !Object.hasOwn(JSON.parse(data) as object, 'method')

interface Answering extends RelayOptions {
  readonly status: number
}

function finish(exchange: Exchange, data: string, answering: Answering): void {
  const { status, accepts } = answering
  const text = checked(exchange, data, answering)
  if (status === OK && !accepts.json) exchange.text(status, frameOf(text), STREAM_HEADERS)
  else exchange.text(status, text, { 'content-type': 'application/json' })
}

/** What became a call was worded and recorded by the chain; anything else is judged here. */
function checked(exchange: Exchange, data: string, { status, id, onResult }: Answering): string {
  if (exchange.entered) return data
  const { error: raw } = JSON.parse(data) as { readonly error?: RpcError }
  if (raw === undefined) {
    onResult()
    exchange.note('ok', '')
    return data
  }
  const { error, outcome, code } = judgeError(raw, status)
  exchange.note(outcome, code)
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
