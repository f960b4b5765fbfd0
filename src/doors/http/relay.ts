/**
 * Carries an answer of the protocol library to the client: plain JSON, unless progress or notes come first and
 * the client reads event streams. Writing waits for the client, within the time of a request.
 */

import { dataOf, frameOf, readFrames } from './events.ts'
import type { Exchange } from './exchange.ts'
import type { Accepts } from './media.ts'
import { judgeError } from './protocol-error.ts'
import type { RpcError } from './protocol-error.ts'

export interface RelayOptions {
  readonly accepts: Accepts
  /** How long a client may leave written bytes unread. */
  readonly patienceMs: number
}

const EVENT_STREAM = 'text/event-stream'
const STREAM_HEADERS = { 'content-type': EVENT_STREAM, 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

/** Resolves when the answer is written, or the client is gone. */
export async function relay(answer: Response, exchange: Exchange, options: RelayOptions): Promise<void> {
  const { body, headers, status } = answer
  if (body === null) {
    exchange.note(status < 400 ? 'ok' : 'refused', status < 400 ? '' : 'message.invalid')
    return exchange.text(status, '')
  }
  if (headers.get('content-type')?.startsWith(EVENT_STREAM)) return relayEvents(body, exchange, options)
  finish(exchange, await answer.text(), { status, asEvent: !options.accepts.json && status === 200 })
}

async function relayEvents(body: ReadableStream<Uint8Array>, exchange: Exchange, { accepts, patienceMs }: RelayOptions): Promise<void> {
  let streams = false
  const openStream = (): void => {
    if (!streams) exchange.head(200, STREAM_HEADERS)
    streams = true
  }
  for await (const frame of readFrames(body)) {
    if (exchange.response.destroyed) return
    const data = dataOf(frame)
    if (data !== undefined && isAnswer(data)) {
      if (streams) exchange.response.end(frameOf(checked(exchange, data)))
      else finish(exchange, data, { status: 200, asEvent: !accepts.json })
      return
    }
    if (!accepts.events) continue
    openStream()
    await write(exchange, frame, patienceMs)
  }
  exchange.response.end()
}

/** Notifications and requests of the server name a method; the answer does not. */
const isAnswer = (data: string): boolean => !Object.hasOwn(JSON.parse(data) as object, 'method')

function finish(exchange: Exchange, data: string, { status, asEvent }: { readonly status: number; readonly asEvent: boolean }): void {
  const text = checked(exchange, data)
  if (asEvent) exchange.text(status, frameOf(text), STREAM_HEADERS)
  else exchange.text(status, text, { 'content-type': 'application/json' })
}

/** What became a call was worded and recorded by the chain; anything else is judged here. */
function checked(exchange: Exchange, data: string): string {
  if (exchange.entered) return data
  const message = JSON.parse(data) as { readonly id?: unknown; readonly error?: RpcError }
  if (message.error === undefined) {
    exchange.note('ok', '')
    return data
  }
  const { error, outcome, code } = judgeError(message.error)
  exchange.note(outcome, code)
  return JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, error })
}

async function write({ response }: Exchange, text: string, patienceMs: number): Promise<void> {
  if (response.write(text) || response.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), patienceMs)
    const go = (): void => {
      clearTimeout(timer)
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.once('drain', go).once('close', go)
  })
}
