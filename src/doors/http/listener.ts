/** The listening socket with its limits, all of which come from the settings. */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Settings } from '../../config/index.ts'

export type Limits = Pick<Settings, 'httpMaxHeaderBytes' | 'httpHeaderTimeoutSeconds' | 'httpRequestTimeoutSeconds' | 'httpMaxConnections'>

const CHECK_MS = [20, 1_000] as const

export function createListener(settings: Limits, take: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const [headersTimeout, requestTimeout] = [settings.httpHeaderTimeoutSeconds * 1000, settings.httpRequestTimeoutSeconds * 1000]
  const server = createServer({
    maxHeaderSize: settings.httpMaxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.max(CHECK_MS[0], Math.min(CHECK_MS[1], headersTimeout / 4)),
    keepAlive: true,
    // A missing Host is refused by the door, with a record.
    requireHostHeader: false,
  })
  server.maxConnections = settings.httpMaxConnections
  // The size of the header section is bounded; a bound on their number would drop headers in silence, Origin among them.
  server.maxHeadersCount = 0
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, take)
  return server
}

export const listenOn = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', reject)
      resolve()
    })
  })

/** A host as it stands in a URL on this machine. */
export function urlHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return address.includes(':') ? `[${address}]` : address
}
