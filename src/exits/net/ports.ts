/** The two things this exit cannot do without a network, as ports: asking for addresses and opening a connection. */

import type { Duplex } from 'node:stream'

/** Every address of a host name, in the order of preference. Rejects or answers nothing when there is none. */
export type Resolver = (host: string) => Promise<readonly string[]>

/** One connection to open. The address has passed every check; nothing here is to be resolved again. */
export interface Dial {
  readonly address: string
  readonly port: number
  /** TLS, with the certificate checked against `name`. */
  readonly secure: boolean
  /** The host of the URL: for TLS the server name (RFC 6066 §3) unless it is an address. */
  readonly name: string
  /** Aborted when the fetch ends for whatever reason; an open connection is then of no use. */
  readonly signal: AbortSignal
}

/** A byte stream that says whom it reached. */
export type Connection = Duplex & { readonly remoteAddress?: string | undefined }

/** Opens exactly the connection asked for, handshake included, or rejects. */
export type Connector = (dial: Dial) => Promise<Connection>
