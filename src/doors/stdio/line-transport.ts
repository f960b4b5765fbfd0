/**
 * MCP over lines of JSON (2026-07-28, transports: stdio). Every message is read once, by our reader; what
 * is malformed is answered here, plain requests are answered by the hot lane, and the rest goes to the
 * protocol library. At most so many requests run at once, and nothing but frames goes to the output.
 */

import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { App } from '../../app/create-app.ts'
import type { DoorEvent } from '../../app/journal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { judgeError } from '../mcp/protocol-error.ts'
import { messageError } from '../mcp/answers.ts'
import { isOffered } from '../mcp/extras.ts'
import { readMessage } from '../mcp/message.ts'
import type { Id, Message } from '../mcp/message.ts'
import { isCallMethod, toRequest } from '../mcp/methods.ts'
import { createLineReader } from './line-reader.ts'

export type RequestMessage = Extract<Message, { is: 'request' }>

/** A request that is being worked on. */
export interface Pending {
  readonly method: string
  /** Whether it became a call of the chain, which leaves its own record. */
  entered: boolean
  /** Stops the work, where the hot lane does it. */
  stop?: () => void
  cancelled: boolean
  /** Whether the library has it. */
  given: boolean
  /** Why it was refused before it became a call. */
  code?: RefusalCode
}

export interface LineTransportOptions {
  readonly input: Readable
  readonly output: Writable
  readonly maxMessageBytes: number
  readonly maxConcurrent: number
  readonly offers: App['offers']
  note(event: DoorEvent): void
  /** The hot lane's answer; undefined where the library must answer. */
  direct(request: RequestMessage, pending: Pending): string | Promise<string> | undefined
  /** Takes an answer to a question of ours; false where none is open. */
  reply(response: object): boolean
  /** Takes a message to the library, which answers through `send`, if it is still wanted once the library is there. */
  toLibrary(message: object, isWanted?: () => boolean): void
}

/** Requests that wait for a place before the input is paused. */
const MAX_WAITING = 256
const OWN_TERMS: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover'])
const failed = (id: Id): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'internal error' } })

export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: LineTransportOptions
  readonly #pending = new Map<Id, Pending>()
  readonly #waiting: RequestMessage[] = []
  #onIdle: (() => void) | undefined
  #closed = false

  constructor(options: LineTransportOptions) {
    this.#options = options
    const { input, output, maxMessageBytes } = options
    const reader = createLineReader(maxMessageBytes, {
      onLine: (line) => this.#read(line),
      onTooLong: () => this.#refuse('message.too-large', null),
      onNotText: () => this.#refuse('message.not-json', null),
    })
    input.on('data', (chunk: Buffer) => reader.push(chunk))
    input.once('end', () => reader.end())
    output.on('error', () => void this.close())
    output.on('drain', () => this.#breathe())
    input.on('error', () => void this.close())
  }

  /** The library is there; reading began long before. */
  async start(): Promise<void> {}

  /** An answer of the library, or a notification of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || 'method' in message) return this.write(JSON.stringify(message))
    const judged = 'error' in message && !this.#pending.get(message.id as Id)?.entered ? judgeError(message.error, 200) : undefined
    this.#end(message.id as Id, judged?.code ?? '')
    this.write(JSON.stringify(judged ? { ...message, error: judged.error } : message))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#options.input.pause()
    for (const { stop } of this.#pending.values()) stop?.()
    this.onclose?.()
  }

  /** A request that the library took became a call. */
  entered(id: Id): void {
    const pending = this.#pending.get(id)
    if (pending) pending.entered = true
  }

  /** A client that does not read is not read from either. */
  write(line: string): void {
    if (!this.#closed && !this.#options.output.write(`${line}\n`)) this.#options.input.pause()
  }

  /** Resolves when nothing runs or waits any more, at the latest after `ms`. */
  idle(ms: number): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #read(line: string): void {
    const message = readMessage(line)
    switch (message.is) {
      case 'refused':
        return this.#refuse(message.code, message.id)
      case 'response':
        // A response gets no response, not even where nobody asked.
        return this.#note('response', this.#options.reply(message.raw) ? '' : 'message.unexpected')
      case 'notification':
        this.#note('notification', '')
        return message.method === 'notifications/cancelled' ? this.#cancel(message.params['requestId'], message.raw) : this.#options.toLibrary(message.raw)
      case 'request':
        return this.#accept(message)
    }
  }

  #accept(request: RequestMessage): void {
    if (this.#pending.has(request.id) || this.#waiting.some(({ id }) => id === request.id)) return this.#refuse('message.invalid', request.id)
    if (isCallMethod(request.method) && isOffered(request.method, this.#options.offers) && !toRequest(request.method, request.params)) return this.#refuse('input.invalid', request.id)
    if (this.#pending.size < this.#options.maxConcurrent) return this.#deliver(request)
    this.#waiting.push(request)
    if (this.#waiting.length >= MAX_WAITING) this.#options.input.pause()
  }

  #deliver(request: RequestMessage): void {
    const pending: Pending = { method: request.method, entered: false, cancelled: false, given: false }
    this.#pending.set(request.id, pending)
    const answer = this.#direct(request, pending)
    if (answer === undefined) this.#options.toLibrary(request.raw, () => (pending.given = !pending.cancelled))
    else if (typeof answer === 'string') this.#finish(request.id, pending, answer)
    else void answer.then((text) => this.#finish(request.id, pending, text), () => this.#fail(request.id, pending))
  }

  /** A fault here must cost its own request and nothing else. */
  #direct(request: RequestMessage, pending: Pending): string | Promise<string> | undefined {
    try {
      return this.#options.direct(request, pending)
    } catch {
      return failed(request.id)
    }
  }

  #fail(id: Id, pending: Pending): void {
    this.#finish(id, pending, failed(id))
  }

  #finish(id: Id, pending: Pending, text: string): void {
    this.#end(id, pending.code ?? '')
    if (!pending.cancelled) this.write(text)
  }

  #end(id: Id, code: RefusalCode | ''): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#pending.delete(id)
    if (!pending.entered) this.#note(OWN_TERMS.has(pending.method) ? pending.method : 'request', code)
    this.#next()
  }

  /** A cancelled request that still waits never runs, and a client that cancelled expects no answer. */
  #cancel(id: unknown, raw: object): void {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id)
    if (at !== -1) {
      this.#waiting.splice(at, 1)
      return this.#note('request', 'call.cancelled')
    }
    const pending = this.#pending.get(id as Id)
    if (!pending) return
    pending.cancelled = true
    if (pending.stop) return pending.stop()
    this.#options.toLibrary(raw)
    if (!pending.given) return this.#end(id as Id, 'call.cancelled')
    // Where the library has it, it becomes a call in this turn or not at all; the call leaves its own record.
    setImmediate(() => this.#end(id as Id, 'call.cancelled'))
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next) this.#deliver(next)
    this.#breathe()
    if (this.#pending.size === 0) this.#onIdle?.()
  }

  /** Reads on, once there is room both for what is asked and for what is answered. */
  #breathe(): void {
    const { input, output } = this.#options
    if (!this.#closed && input.isPaused() && this.#waiting.length < MAX_WAITING / 2 && !output.writableNeedDrain) input.resume()
  }

  #refuse(code: RefusalCode, id: Id | null): void {
    this.#note('request', code)
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: messageError(code) }))
  }

  #note(component: string, code: RefusalCode | ''): void {
    this.#options.note({ door: 'stdio', kind: 'message', component, outcome: code === '' ? 'ok' : 'refused', code })
  }
}
