/** Reads one request body: bounded in bytes here, in time by the server, whose verdict arrives as a fault of the exchange. */

import { isUtf8 } from 'node:buffer'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { ArrivalFault, Exchange } from './exchange.ts'

export type Body = { readonly text: string } | { readonly fault: ArrivalFault | 'message.not-json' }

/**
 * Hands on the text of a body of at most `maxBytes`, strictly UTF-8, or why there is none. A byte order mark stays in the
 * text, where JSON does not allow it (RFC 8259 §8.1).
 */
export function readText(exchange: Exchange, maxBytes: number, next: (body: Body) => Awaitable<void>): void {
  const { 'content-length': length, expect } = exchange.request.headers
  const end = (read: Buffer | ArrivalFault): void => exchange.run(() => next(bodyOf(read)))
  if (length !== undefined && Number(length) > maxBytes) return end('http.too-large')
  // Only now is the body wanted (RFC 9110 §10.1.1).
  if (expect !== undefined) exchange.response.writeContinue()
  collect(exchange, maxBytes, end)
}

/** The door was mounted where it cannot work. */
export class MountError extends TypeError {
  override readonly name = 'MountError'
}

function bodyOf(read: Buffer | ArrivalFault): Body {
  if (typeof read === 'string') return { fault: read }
  return isUtf8(read) ? { text: read.toString('utf8') } : { fault: 'message.not-json' }
}

function collect(exchange: Exchange, maxBytes: number, done: (read: Buffer | ArrivalFault) => void): void {
  const { request } = exchange
  // A parser that a program puts before the door leaves nothing to read, and no end to wait for.
  if (request.readableEnded) throw new MountError('the body was read before the door got the request; mount the door before any body parser')
  if (request.destroyed) return done('call.cancelled')
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  const end = (result: Buffer | ArrivalFault): void => {
    if (isOver) return
    isOver = true
    exchange.onFault = undefined
    done(result)
  }
  const gone = (): void => end('call.cancelled')
  exchange.onFault = end
  exchange.onClose(gone)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) end('http.too-large')
    if (!isOver) chunks.push(chunk)
  })
  request.on('end', () => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  request.on('error', gone)
}
