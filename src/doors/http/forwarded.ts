/**
 * What proxies say of a request, believed only of those that the operator named. From anybody else the forwarding
 * headers are text like any other, so nobody chooses the name under which a request is judged.
 */

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { valuesOf } from './fields.ts'

export interface Forwarding {
  /** Every value that counts as the Host header. */
  hosts(request: IncomingMessage): readonly string[]
  /** Whether somebody in front rewrote Host and is not believed: the commonest mistake with a proxy. */
  isUnbelieved(request: IncomingMessage): boolean
}

const FORWARDED_HOST = 'x-forwarded-host'

/** @param proxies addresses and CIDR blocks; none of them is nobody. */
export function createForwarding(proxies: readonly string[] = []): Forwarding {
  const trusted = blocksOf(proxies)
  const isTrusted = (address = ''): boolean => {
    // A peer over IPv4 may be spelled as IPv6 where the socket takes both (RFC 4291 §2.5.5.2).
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(plain)
    return family !== 0 && trusted.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    hosts(request) {
      const own = valuesOf(request, 'host')
      if (proxies.length === 0 || !isTrusted(request.socket.remoteAddress)) return own
      const told = valuesOf(request, FORWARDED_HOST)
      // Each proxy adds what it saw behind the others; only the last one speaks to us.
      return told.length === 0 ? own : [told.at(-1)?.split(',').at(-1)?.trim() ?? '']
    },
    isUnbelieved: (request) => valuesOf(request, FORWARDED_HOST).length > 0 && !(proxies.length > 0 && isTrusted(request.socket.remoteAddress)),
  }
}

function blocksOf(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
