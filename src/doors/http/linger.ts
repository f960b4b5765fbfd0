/**
 * Lingering close (RFC 9112 §9.6): a connection that is closed on unread input takes the answer with it. So the
 * answer goes out whole, what still arrives is thrown away for a moment, and then the connection ends.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'

const LINGER_MS = 2_000
/** What is left of a body of this size is read to its end, and the connection lives on. */
const SMALL_BYTES = 65_536

export function mustLinger({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const { 'content-length': length, 'transfer-encoding': coding, expect } = headers
  // Whoever waits to be told to go on may never send the body, and then it must not be waited for on this connection.
  return coding !== undefined || expect !== undefined || Number(length ?? 0) > SMALL_BYTES
}

export function linger(request: IncomingMessage, response: ServerResponse, text: string): void {
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  timer.unref()
  request.once('end', end)
  request.once('close', end)
  // An answer without a body has no first part that would bring its head.
  response.flushHeaders()
  response.write(text)
  // The client hears at once that nothing more comes. An answer that waits for others in a pipeline has no socket yet.
  response.socket?.end()
  request.resume()
}
