/**
 * The hot lane over HTTP: one dispatch and one text, without the protocol library. Where the call tells of
 * its progress or asks something first, the answer becomes an event stream, if the client reads one.
 */

import type { App } from '../../app/create-app.ts'
import type { Arrival } from '../../kernel/call.ts'
import { MISSING_CAPABILITY } from '../mcp/answers.ts'
import { TRACEPARENT, parentOf } from '../mcp/envelope.ts'
import { NO_EXTRAS, mayTell } from '../mcp/extras.ts'
import type { ProtocolExtras } from '../mcp/extras.ts'
import type { Lane } from '../mcp/lane.ts'
import type { Id } from '../mcp/message.ts'
import type { QuestionLine } from '../mcp/question-line.ts'
import { frameOf } from './events.ts'
import type { Exchange } from './exchange.ts'
import { parseAccept } from './media.ts'
import type { PlainRequest } from './plain.ts'

const JSON_HEADERS = { 'content-type': 'application/json' } as const
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

export interface PlainParts {
  readonly app: App
  readonly lane: Lane
  readonly line: QuestionLine
  readonly extras: ProtocolExtras
}

export async function answerPlain({ app, lane, line, extras }: PlainParts, exchange: Exchange, id: Id, plain: PlainRequest): Promise<void> {
  exchange.entered = true
  const { json, events } = parseAccept(exchange.request.headers.accept)
  let streams = false

  const send = (message: object): void => {
    if (exchange.closed) return
    if (!streams) exchange.head(200, STREAM_HEADERS)
    streams = true
    exchange.write(frameOf(JSON.stringify(message))).catch(() => {})
  }

  const arrival = arrivalOf(plain, exchange, events ? { send, line, extras: plain.era === 'legacy' ? extras : NO_EXTRAS } : undefined)
  const outcome = await app.dispatch(plain.request, exchange.caller, arrival)
  const { text, error } = lane.answer(id, plain.request, outcome, { era: plain.era, capabilities: arrival.capabilities ?? {} })
  const status = error?.code === MISSING_CAPABILITY ? 400 : 200
  if (streams) exchange.response.end(frameOf(text))
  else if (json || status !== 200) exchange.text(status, text, JSON_HEADERS)
  else exchange.text(status, frameOf(text), STREAM_HEADERS)
}

/** Answers a handshake, a ping or a look around, which are no calls and leave a record of their own. */
export function introduce(exchange: Exchange, text: string): void {
  exchange.note('ok', '')
  if (parseAccept(exchange.request.headers.accept).json) exchange.text(200, text, JSON_HEADERS)
  else exchange.text(200, frameOf(text), STREAM_HEADERS)
}

interface Stream {
  send(message: object): void
  readonly line: QuestionLine
  readonly extras: ProtocolExtras
}

function arrivalOf({ meta, era, asks }: PlainRequest, exchange: Exchange, stream: Stream | undefined): Arrival {
  const { progressToken } = meta
  // The message is nearer to the caller than the connection that carries it.
  const parent = meta.parent ?? parentOf(exchange.request.headers[TRACEPARENT])
  const base: Arrival = { door: 'http', onGone: (stop) => exchange.onClose(stop), ...asks, ...(parent && { parent }) }
  if (!stream) return base
  const { send, line, extras } = stream
  const { capabilities, caller } = exchange
  return {
    ...base,
    tell: (method, params) => {
      if (mayTell(method, extras)) send({ method, params, jsonrpc: '2.0' })
    },
    ...(progressToken !== undefined && {
      progress: (progress: number, total?: number, message?: string) =>
        send({ method: 'notifications/progress', params: { progressToken, progress, total, message }, jsonrpc: '2.0' }),
    }),
    // A handshake-era client is asked on the stream of its own call, and answers with a request of its own.
    ...(era === 'legacy' && capabilities && { capabilities, ask: (questions) => line.ask(questions, { capabilities, caller: caller.bucket, onGone: (stop) => exchange.onClose(stop), send }) }),
  }
}
