/**
 * What happens to a connection rather than to a request: faults before there is a request to answer (one record,
 * one plain answer, one end), and its own end, which ends every exchange on it.
 */

import type { Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DoorEvent } from '../../app/journal.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import type { ArrivalFault, Exchange } from './exchange.ts'

interface Fault {
  readonly code: ArrivalFault
  readonly status: number
}

const MALFORMED: Fault = { code: 'message.invalid', status: 400 }

const FAULTS: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'http.slow', status: 408 },
  HPE_HEADER_OVERFLOW: { code: 'http.too-large', status: 431 },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'http.too-large', status: 413 },
}

const END_MS = 1_000

export interface Connections {
  /** Must hear of each exchange as it begins. */
  add(exchange: Exchange): void
}

export function watchConnections(server: Server, note: (event: DoorEvent) => void): Connections {
  const open = new WeakMap<Duplex, Exchange[]>()
  const failed = new WeakSet<Duplex>()
  const refused = (code: RefusalCode): void => note({ door: 'http', kind: 'http', component: 'connection', outcome: 'refused', code })

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const exchanges = open.get(socket) ?? []
    const arriving = exchanges.find(({ request }) => !request.complete)
    const isGone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE'
    if (isGone) arriving?.fault('call.cancelled')
    if (isGone || failed.has(socket) || !socket.writable) return void socket.destroy()
    failed.add(socket)
    const { code, status } = faultOf(error)
    if (arriving) return arriving.fault(code)
    refused(code)
    // An answer in the middle of another one would be read as part of it.
    if (exchanges.length > 0) return void socket.destroy()
    socket.end(plainAnswer(code, status))
    setTimeout(() => socket.destroy(), END_MS).unref()
  })
  server.on('drop', () => refused('http.busy'))
  // A tunnel is asked for outside of any request.
  server.on('connect', (_request: unknown, socket: Duplex) => {
    refused('http.method')
    socket.on('error', () => socket.destroy())
    socket.end(plainAnswer('http.method', REFUSALS['http.method'].http))
  })

  return {
    add(exchange) {
      const { socket } = exchange.request
      let exchanges = open.get(socket)
      if (!exchanges) {
        const all: Exchange[] = (exchanges = [])
        open.set(socket, all)
        socket.once('close', () => {
          for (const one of [...all]) one.close()
        })
      }
      const own = exchanges
      own.push(exchange)
      exchange.onClose(() => void own.splice(own.indexOf(exchange), 1))
    },
  }
}

const faultOf = ({ code = '' }: NodeJS.ErrnoException): Fault => (Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined) ?? MALFORMED

function plainAnswer(code: RefusalCode, status: number): string {
  const body = JSON.stringify({ error: code, message: REFUSALS[code].says })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'content-type: application/json', `content-length: ${body.length}`, 'connection: close']
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
