/**
 * One HTTP request and its answer. It leaves at most one record of its own, and none once it became a
 * call, because the chain records calls.
 */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { DoorEvent } from '../../app/journal.ts'
import { ANONYMOUS } from '../../kernel/caller.ts'
import type { Caller } from '../../kernel/caller.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { messageError } from '../mcp/answers.ts'
import type { WireError } from '../mcp/answers.ts'
import type { Id } from '../mcp/message.ts'
import { linger, mustLinger } from './linger.ts'
import type { BodyFault } from './read-body.ts'
import type { RouteName } from './routes.ts'

export interface ExchangePorts {
  note(event: DoorEvent): void
  /** Whether connections end with the answer that is being written. */
  closing(): boolean
}

/** What a record says of an exchange; the message takes over from the request once there is one. */
interface Subject {
  readonly kind: 'http' | 'message'
  /** A term of the door's own, never the caller's. */
  readonly component: string
}

export interface RefuseOptions {
  readonly id?: Id | null
  readonly headers?: OutgoingHttpHeaders
  readonly reason?: string
  /** Where it is not the one of the refusal table. */
  readonly status?: number
  /** Another error than the table's, for a JSON-RPC request. */
  readonly error?: WireError
}

const FIXED_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  caller: Caller = ANONYMOUS
  subject: Subject = { kind: 'http', component: 'unknown' }
  /** Whether it became a call of the chain. */
  entered = false
  /** Hears of a fault while the body is being read. */
  onFault: ((fault: BodyFault) => void) | undefined
  readonly #ports: ExchangePorts
  #noted = false

  constructor(request: IncomingMessage, response: ServerResponse, ports: ExchangePorts) {
    this.request = request
    this.response = response
    this.#ports = ports
  }

  on(route: RouteName): void {
    this.subject = { kind: 'http', component: route }
  }

  note(outcome: DoorEvent['outcome'], code: RefusalCode | '', reason = ''): void {
    if (this.#noted || this.entered) return
    this.#noted = true
    this.#ports.note({ door: 'http', ...this.subject, outcome, code, reason, caller: this.caller.subject })
  }

  /** The server gave up on a request that has not arrived whole. */
  fault(fault: BodyFault): void {
    if (this.onFault) this.onFault(fault)
    else this.refuse(fault)
  }

  /** Records a refusal and answers it: as JSON-RPC to a message, in plain JSON to anything else. */
  refuse(code: RefusalCode, { id = null, headers = {}, reason = '', status = REFUSALS[code].http, error }: RefuseOptions = {}): void {
    this.note('refused', code, reason)
    const isMessage = this.request.method === 'POST' && (this.subject.kind === 'message' || this.subject.component === 'mcp')
    this.json(status, isMessage ? { jsonrpc: '2.0', id, error: error ?? messageError(code) } : { error: code, message: REFUSALS[code].says }, headers)
  }

  json(status: number, body: object, headers: OutgoingHttpHeaders = {}): void {
    this.text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  /** A whole answer. A body that is still on its way is waited for a little, so that the answer is not lost with it. */
  text(status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
    if (this.response.headersSent || this.response.destroyed) return
    const close = mustLinger(this.request)
    this.head(status, { ...headers, ...(status !== 204 && { 'content-length': Buffer.byteLength(text) }), ...(close && { connection: 'close' }) })
    if (close) linger(this.request, this.response, text)
    else this.response.end(text)
  }

  head(status: number, headers: OutgoingHttpHeaders): void {
    this.response.writeHead(status, { ...FIXED_HEADERS, ...headers, ...(this.#ports.closing() && { connection: 'close' }) })
  }
}
