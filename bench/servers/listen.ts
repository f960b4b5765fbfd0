/** How a server of the HTTP rows is told what to be, says where it is, and ends. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the starter gave this server. */
export const givenParts = <Parts>(): Parts => JSON.parse(process.argv[2] ?? '{}') as Parts

/** Listens on a free loopback port, tells the starter which, and ends with it. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => told((server.address() as AddressInfo).port))
}

/** Tells the starter the port, tells it the processor time used so far when asked, and runs `close` once it hangs up. */
export function told(port: number, close = async (): Promise<void> => {}): void {
  process.once('disconnect', () => void close().finally(() => process.exit()))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.send?.(port)
}
