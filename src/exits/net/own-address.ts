/** Whether an endpoint is this very process: no call may come back in through the way out. */

import { networkInterfaces } from 'node:os'
import { classifyAddress, isSameAddress, parseAddress } from '../../policy/address.ts'

/** Where this process listens. */
export interface ListeningAddress {
  readonly address: string
  readonly port: number
}

const localAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

/** An unspecified or unreadable listening address stands for every address of this machine. */
const isEveryAddress = (bytes: Uint8Array | undefined): boolean =>
  bytes === undefined || classifyAddress(bytes) === 'unspecified'

const isLocal = (bytes: Uint8Array): boolean => {
  const kind = classifyAddress(bytes)
  if (kind === 'loopback' || kind === 'unspecified') return true
  return localAddresses().some((text) => {
    const local = parseAddress(text)
    return local !== undefined && isSameAddress(local, bytes)
  })
}

/** True when dialling `bytes` and `port` would reach one of the listeners. */
export const isOwnAddress = (bytes: Uint8Array, port: number, listeners: readonly ListeningAddress[]): boolean =>
  listeners.some((listener) => {
    if (listener.port !== port) return false
    const listening = parseAddress(listener.address)
    if (listening !== undefined && isSameAddress(listening, bytes)) return true
    // Linux connects 0.0.0.0 and :: to loopback, whichever address the listener has.
    return isEveryAddress(listening) || classifyAddress(bytes) === 'unspecified' ? isLocal(bytes) : false
  })
