/**
 * The hot lane over HTTP: one dispatch and one text, without the protocol library. Where the call tells of
 * its progress or asks something first, the answer becomes an event stream, if the client reads one.
 */

import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Arrival, RemoteParent } from '../../kernel/call.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { MISSING_CAPABILITY } from '../mcp/answers.ts'
import { TRACEPARENT, parentOf } from '../mcp/envelope.ts'
import { NO_EXTRAS, mayTell } from '../mcp/extras.ts'
import type { ProtocolExtras } from '../mcp/extras.ts'
import type { Lane, PlainCall } from '../mcp/lane.ts'
import type { Id } from '../mcp/message.ts'
import type { QuestionLine } from '../mcp/question-line.ts'
import { frameOf } from './events.ts'
import type { Exchange } from './exchange.ts'
import { parseAccept } from './media.ts'

const JSON_HEADERS = { 'content-type': 'application/json' } as const
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

export interface PlainParts {
  readonly app: App
  readonly lane: Lane
  readonly line: QuestionLine
  readonly extras: ProtocolExtras
}

export function answerPlain({ app, lane, line, extras }: PlainParts, exchange: Exchange, id: Id, plain: PlainCall): Awaitable<void> {
  exchange.entered = true
  const { json, events } = parseAccept(exchange.request.headers.accept)
  let streams = false

  const send = (message: object): void => {
    if (exchange.closed) return
    if (!streams) exchange.head(200, STREAM_HEADERS)
    streams = true
    exchange.write(frameOf(JSON.stringify(message))).catch(() => {})
  }

  const arrival = new PlainArrival(plain, exchange, events ? { send, line, extras: plain.era === 'legacy' ? extras : NO_EXTRAS } : undefined)
  return after(app.dispatch(plain.request, exchange.caller, arrival), (outcome) => {
    const { text, error } = lane.answer(id, plain.request, outcome, { era: plain.era, capabilities: arrival.capabilities ?? {} })
    const status = error?.code === MISSING_CAPABILITY ? 400 : 200
    if (streams) exchange.response.end(frameOf(text))
    else if (json || status !== 200) exchange.text(status, text, JSON_HEADERS)
    else exchange.text(status, frameOf(text), STREAM_HEADERS)
  })
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

/**
 * How the call came. Not a literal: V8 allots one that holds closures in its old space once it has seen enough of them,
 * and what hangs on it, the whole exchange, then outlives every small collection (allocation-site pretenuring).
 */
class PlainArrival implements Arrival {
  readonly door = 'http'
  readonly onGone: (stop: () => void) => void
  readonly takesQuestions?: boolean
  readonly capabilities?: Capabilities
  readonly reply?: NonNullable<Arrival['reply']>
  readonly parent?: RemoteParent
  readonly tell?: NonNullable<Arrival['tell']>
  readonly progress?: NonNullable<Arrival['progress']>
  readonly ask?: NonNullable<Arrival['ask']>

  constructor({ meta, era, asks }: PlainCall, exchange: Exchange, stream: Stream | undefined) {
    const onGone = (stop: () => void): void => exchange.onClose(stop)
    // The message is nearer to the caller than the connection that carries it.
    const parent = meta.parent ?? parentOf(exchange.request.headers[TRACEPARENT])
    this.onGone = onGone
    if (asks.takesQuestions) this.takesQuestions = true
    if (asks.capabilities) this.capabilities = asks.capabilities
    if (asks.reply) this.reply = asks.reply
    if (parent) this.parent = parent
    if (!stream) return
    const { send, line, extras } = stream
    const { progressToken } = meta
    this.tell = (method, params) => {
      if (mayTell(method, extras)) send({ method, params, jsonrpc: '2.0' })
    }
    if (progressToken !== undefined) {
      this.progress = (progress, total, message) => send({ method: 'notifications/progress', params: { progressToken, progress, total, message }, jsonrpc: '2.0' })
    }
    const { capabilities, caller } = exchange
    // A handshake-era client is asked on the stream of its own call, and answers with a request of its own.
    if (era !== 'legacy' || !capabilities) return
    this.capabilities = capabilities
    this.ask = (questions) => line.ask(questions, { capabilities, caller: caller.bucket, onGone, send })
  }
}
