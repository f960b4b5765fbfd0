/** What goes wrong on a connection before there is a request to answer: one record, one plain answer, one end. */

import type { Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DoorEvent } from '../../app/journal.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import type { Exchange } from './exchange.ts'
import type { BodyFault } from './read-body.ts'

interface Fault {
  readonly code: BodyFault
  readonly status: number
}

const MALFORMED: Fault = { code: 'message.invalid', status: 400 }

const FAULTS: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'http.slow', status: 408 },
  HPE_HEADER_OVERFLOW: { code: 'http.too-large', status: 431 },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'http.too-large', status: 413 },
}

const END_MS = 1_000

/** @returns what must be told of each new exchange, because a fault may belong to the newest of its connection. */
export function watchConnections(server: Server, note: (event: DoorEvent) => void): (socket: Duplex, exchange: Exchange) => void {
  const latest = new WeakMap<Duplex, Exchange>()
  const failed = new WeakSet<Duplex>()
  const refused = (code: RefusalCode): void => note({ door: 'http', kind: 'http', component: 'connection', outcome: 'refused', code })

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (failed.has(socket)) return void socket.destroy()
    failed.add(socket)
    const { code, status } = faultOf(error)
    const exchange = latest.get(socket)
    if (exchange && !exchange.request.complete) return exchange.fault(code)
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refused(code)
    // An answer in the middle of another one would be read as part of it.
    if (exchange && !exchange.response.writableFinished) return void socket.destroy()
    socket.end(plainAnswer(code, status))
    setTimeout(() => socket.destroy(), END_MS).unref()
  })
  server.on('drop', () => refused('http.busy'))
  return (socket, exchange) => void latest.set(socket, exchange)
}

const faultOf = ({ code = '' }: NodeJS.ErrnoException): Fault => (Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined) ?? MALFORMED

function plainAnswer(code: RefusalCode, status: number): string {
  const body = JSON.stringify({ error: code, message: REFUSALS[code].says })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'content-type: application/json', `content-length: ${body.length}`, 'connection: close']
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
