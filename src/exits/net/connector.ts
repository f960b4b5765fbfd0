/**
 * Sockets to literal addresses. The name goes into the TLS handshake and nowhere else,
 * so there is no second look-up that could answer differently from the first.
 */

import type { Socket } from 'node:net'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Connector, Dial } from './ports.ts'

export interface ConnectorOptions {
  /** Trusted roots as PEM, instead of those that Node ships. */
  readonly ca?: string | undefined
}

const refuseLookup = (): never => {
  throw new Error('a connection was asked for by name')
}

const open = ({ address, port, secure, name }: Dial, { ca }: ConnectorOptions): Socket => {
  const target = { host: address, port, autoSelectFamily: false, lookup: refuseLookup }
  if (!secure) return connectTcp(target)
  return connectTls({
    ...target,
    // An address is never sent as a server name (RFC 6066 §3); the certificate is then checked against `host`.
    servername: isIP(name) === 0 ? name : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Spelled out, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  })
}

/** The production connector: TCP, or TLS 1.2 and later with a verified certificate. */
export const createConnector =
  (options: ConnectorOptions = {}): Connector =>
  (dial) =>
    new Promise((resolve, reject) => {
      dial.signal.throwIfAborted()
      const socket = open(dial, options)
      const abandon = (): void => {
        socket.destroy(new Error('abandoned'))
      }
      dial.signal.addEventListener('abort', abandon, { once: true })
      socket.once('close', () => dial.signal.removeEventListener('abort', abandon))
      // Stays for the life of the socket: an error between here and the next listener must not end the process.
      socket.on('error', reject)
      socket.once(dial.secure ? 'secureConnect' : 'connect', () => {
        socket.setNoDelay(true)
        resolve(socket)
      })
    })
