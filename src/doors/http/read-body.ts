/** Reads one request body: bounded in bytes here, in time by the server, whose verdict arrives as a fault of the exchange. */

import type { ArrivalFault, Exchange } from './exchange.ts'

export type Body = { readonly text: string } | { readonly fault: ArrivalFault | 'message.not-json' }

/** A byte order mark stays in the text, where JSON does not allow it (RFC 8259 §8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a body of at most `maxBytes`, strictly UTF-8, or why there is none. Never rejects. */
export async function readText(exchange: Exchange, maxBytes: number): Promise<Body> {
  const { 'content-length': length, expect } = exchange.request.headers
  if (Number(length ?? 0) > maxBytes) return { fault: 'http.too-large' }
  // Only now is the body wanted (RFC 9110 §10.1.1).
  if (expect !== undefined) exchange.response.writeContinue()
  const read = await collect(exchange, maxBytes)
  if (typeof read === 'string') return { fault: read }
  try {
    return { text: UTF8.decode(read) }
  } catch {
    return { fault: 'message.not-json' }
  }
}

function collect(exchange: Exchange, maxBytes: number): Promise<Buffer | ArrivalFault> {
  const { request } = exchange
  if (request.destroyed) return Promise.resolve('call.cancelled')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (result: Buffer | ArrivalFault): void => {
      exchange.onFault = undefined
      request.off('data', take)
      resolve(result)
    }
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) return end('http.too-large')
      chunks.push(chunk)
    }
    exchange.onFault = end
    request.on('data', take)
    const gone = (): void => end('call.cancelled')
    request.on('end', () => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', gone)
    request.on('close', gone)
  })
}
