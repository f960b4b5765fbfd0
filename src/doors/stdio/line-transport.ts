/**
 * MCP over lines of JSON (2026-07-28, transports: stdio). Every message is read once, by our reader;
 * what is malformed is answered here, and at most so many requests run at once. Nothing but frames
 * goes to the output.
 */

import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { DoorEvent } from '../../app/journal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { messageError } from '../mcp/answers.ts'
import { readMessage } from '../mcp/message.ts'
import type { Id, Message } from '../mcp/message.ts'
import { isCallMethod, toRequest } from '../mcp/methods.ts'
import { createLineReader } from './line-reader.ts'

export interface LineTransportOptions {
  readonly input: Readable
  readonly output: Writable
  readonly maxMessageBytes: number
  readonly maxConcurrent: number
  note(event: DoorEvent): void
}

type Request = Extract<Message, { is: 'request' }>

interface Pending {
  readonly method: string
  /** Whether it became a call of the chain, which leaves its own record. */
  entered: boolean
}

/** Requests that wait for a place before the input is paused. */
const MAX_WAITING = 256

export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: LineTransportOptions
  readonly #pending = new Map<Id, Pending>()
  readonly #waiting: Request[] = []
  #onIdle: (() => void) | undefined
  #closed = false

  constructor(options: LineTransportOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { input, output, maxMessageBytes } = this.#options
    const reader = createLineReader(maxMessageBytes, (line) => this.#read(line), () => this.#refuse('message.too-large', null))
    input.on('data', (chunk: Buffer) => reader.push(chunk))
    output.on('error', () => void this.close())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message)
    if (!('id' in message) || 'method' in message) return
    const pending = this.#pending.get(message.id as Id)
    if (!pending) return
    this.#pending.delete(message.id as Id)
    if (!pending.entered) this.#noteAnswer(pending.method, message)
    this.#next()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#options.input.pause()
    this.onclose?.()
  }

  /** A request became a call. */
  entered(id: Id): void {
    const pending = this.#pending.get(id)
    if (pending) pending.entered = true
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
        // Nobody asked: nothing is answered, because a response gets no response.
        return this.#options.note(noted('response', 'refused', 'message.unexpected'))
      case 'notification':
        this.#options.note(noted('notification', 'ok', ''))
        if (message.method === 'notifications/cancelled') this.#drop(message.params['requestId'])
        return this.onmessage?.(message.raw as JSONRPCMessage)
      case 'request':
        return this.#accept(message)
    }
  }

  #accept(request: Request): void {
    if (this.#pending.has(request.id) || this.#waiting.some(({ id }) => id === request.id)) return this.#refuse('message.invalid', request.id)
    if (isCallMethod(request.method) && !toRequest(request.method, request.params)) return this.#refuse('input.invalid', request.id)
    if (this.#pending.size < this.#options.maxConcurrent) return this.#deliver(request)
    this.#waiting.push(request)
    if (this.#waiting.length >= MAX_WAITING) this.#options.input.pause()
  }

  #deliver(request: Request): void {
    this.#pending.set(request.id, { method: request.method, entered: false })
    this.onmessage?.(request.raw as JSONRPCMessage)
  }

  /** A cancelled request that still waits never runs; its client expects no answer. */
  #drop(id: unknown): void {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id)
    if (at === -1) {
      if (this.#pending.delete(id as Id)) this.#next()
      return
    }
    this.#waiting.splice(at, 1)
    this.#options.note(noted('request', 'refused', 'call.cancelled'))
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next) this.#deliver(next)
    if (this.#waiting.length < MAX_WAITING / 2 && this.#options.input.isPaused() && !this.#closed) this.#options.input.resume()
    if (this.#pending.size === 0) this.#onIdle?.()
  }

  #refuse(code: RefusalCode, id: Id | null): void {
    this.#options.note(noted('request', 'refused', code))
    this.#write({ jsonrpc: '2.0', id, error: messageError(code) })
  }

  #noteAnswer(method: string, message: JSONRPCMessage): void {
    const failed = 'error' in message
    const unknown = failed && (message.error as { code?: unknown }).code === -32_601
    const term = ['initialize', 'ping', 'server/discover'].includes(method) ? method : 'request'
    this.#options.note(failed ? noted(term, 'refused', unknown ? 'message.method' : 'message.invalid') : noted(term, 'ok', ''))
  }

  #write(message: object): void {
    if (!this.#closed) this.#options.output.write(`${JSON.stringify(message)}\n`)
  }
}

const noted = (component: string, outcome: 'ok' | 'refused', code: RefusalCode | ''): DoorEvent => ({ door: 'stdio', kind: 'message', component, outcome, code })
