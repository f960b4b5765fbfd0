/**
 * One HTTP request and its answer. It leaves at most one record of its own, and none once it became a
 * call, because the chain records calls.
 */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { DoorEvent } from '../../app/journal.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { ANONYMOUS } from '../../kernel/caller.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { messageError } from '../mcp/answers.ts'
import type { Id } from '../mcp/message.ts'
import { linger, mustLinger } from './linger.ts'
import type { RouteName } from './routes.ts'

export interface ExchangePorts {
  note(event: DoorEvent): void
  /** Whether connections end with the answer that is being written. */
  closing(): boolean
  /** How long a client may leave written bytes unread. */
  readonly patienceMs: number
  /** Is told of work that goes on, and never rejects. */
  serving(work: Promise<void>): void
  /** Is told what a fault was, of which the answer says nothing. */
  failed?(error: unknown): void
}

/** What a record says of an exchange; the message takes over from the request once there is one. */
interface Subject {
  readonly kind: 'http' | 'message'
  /** A term of the door's own, never the caller's. */
  readonly component: string
}

/** Why a request did not arrive whole. */
export type ArrivalFault = Extract<RefusalCode, 'http.too-large' | 'http.slow' | 'message.invalid' | 'call.cancelled'>

export interface RefuseOptions {
  readonly id?: Id | null
  readonly headers?: OutgoingHttpHeaders
  readonly reason?: string
  /** What to do about it; written by us. */
  readonly hint?: string
  /** Where it is not the one of the refusal table. */
  readonly status?: number
}

/** What the head of a whole answer says of it. */
interface Ending {
  /** Whether the connection ends with it. */
  readonly isLate?: boolean
  readonly bytes?: number | undefined
}

const GONE = 'call.cancelled'
const FAILED = 'internal error'

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  caller: Caller = ANONYMOUS
  /** Fields of the answer, whatever it will be: name, value, name, value. */
  readonly extra: string[] = []
  /** What the client of a session said that it can be asked. */
  capabilities: Capabilities | undefined
  subject: Subject = { kind: 'http', component: 'unknown' }
  /** Whether it became a call of the chain. */
  entered = false
  /** Hears of a fault while the body is being read. */
  onFault: ((fault: ArrivalFault) => void) | undefined
  readonly #ports: ExchangePorts
  readonly #closeListeners: (() => void)[] = []
  #noted = false
  #closed = false
  /** Whether the rest of the request will never make sense. */
  #broken = false

  constructor(request: IncomingMessage, response: ServerResponse, ports: ExchangePorts) {
    this.request = request
    this.response = response
    this.#ports = ports
    response.on('close', () => this.close())
  }

  /** Whether it is over: answered, or without a client to answer. */
  get closed(): boolean {
    return this.#closed
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener()
    else this.#closeListeners.push(listener)
  }

  /** Also called when the connection is gone, of which an answer that waits in a pipeline hears nothing. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const listener of this.#closeListeners) listener()
  }

  /** Runs a part of what it takes to answer. Whatever that throws is answered as a fault. */
  run(work: () => Awaitable<void>): void {
    try {
      const going = work()
      if (going instanceof Promise) this.#ports.serving(going.catch((error: unknown) => this.#failed(error)))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.fail()
    this.#ports.failed?.(error)
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
  fault(fault: ArrivalFault): void {
    this.#broken = true
    if (this.onFault) return this.onFault(fault)
    if (fault !== GONE) return this.refuse(fault)
    this.note('refused', fault)
    this.response.destroy()
  }

  /** Records a refusal and answers it: as JSON-RPC where a message was sent, in plain JSON elsewhere. */
  refuse(code: RefusalCode, { id = null, headers = {}, reason = '', hint, status = REFUSALS[code].http }: RefuseOptions = {}): void {
    this.note('refused', code, reason)
    const more = hint === undefined ? '' : `; ${hint}`
    const error = messageError(code)
    const body = this.#isMessage ? { jsonrpc: '2.0', id, error: { ...error, message: error.message + more } } : { error: code, message: REFUSALS[code].says + more }
    this.json(status, body, headers)
  }

  /** Something of ours threw. Nothing of it is told. */
  fail(): void {
    // The chain, where it was entered, knows nothing of this.
    this.entered = false
    this.note('fault', '')
    // Half an answer must not look like a whole one.
    if (this.response.headersSent) this.response.destroy()
    else this.json(500, this.#isMessage ? { jsonrpc: '2.0', id: null, error: { code: -32_603, message: FAILED } } : { error: 'internal', message: FAILED })
  }

  get #isMessage(): boolean {
    return this.subject.kind === 'message' || (this.subject.component === 'mcp' && this.request.method === 'POST')
  }

  /** Taken, and there is nothing to say (2025-11-25, transports: 202). */
  accept(): void {
    this.note('ok', '')
    this.text(202, '')
  }

  json(status: number, body: object, headers: OutgoingHttpHeaders = {}): void {
    this.text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  /** A whole answer. A body that is still on its way is waited for a little, so that the answer is not lost with it. */
  text(status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
    const { request, response } = this
    if (this.#closed || response.headersSent) return
    const isLate = this.#broken || mustLinger(request)
    this.head(status, headers, { isLate, bytes: status === 204 ? undefined : Buffer.byteLength(text) })
    if (isLate) return linger(request, response, text)
    response.end(text)
    if (response.writableLength > 0) response.setTimeout(this.#ports.patienceMs, () => response.destroy())
  }

  /** One flat list, which Node writes as it is; setting fields one by one costs it a map. */
  head(status: number, headers: OutgoingHttpHeaders, { isLate = false, bytes }: Ending = {}): void {
    const fields = ['x-content-type-options', 'nosniff', ...this.extra]
    if (headers['cache-control'] === undefined) fields.push('cache-control', 'no-store')
    for (const name in headers) if (headers[name] !== undefined) fields.push(name, String(headers[name]))
    if (bytes !== undefined) fields.push('content-length', String(bytes))
    if (isLate || this.#ports.closing()) fields.push('connection', 'close')
    this.response.writeHead(status, fields)
  }

  /** Writes a part of an answer. Resolves when the client has taken enough of it, or is gone. */
  async write(text: string): Promise<void> {
    const { response } = this
    if (this.#closed || response.write(text)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => response.destroy(), this.#ports.patienceMs)
      const go = (): void => {
        clearTimeout(timer)
        response.off('drain', go)
        resolve()
      }
      response.once('drain', go)
      this.onClose(go)
    })
  }
}
