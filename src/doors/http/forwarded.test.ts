import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createForwarding } from './forwarded.ts'

const request = (remoteAddress: string, ...rawHeaders: string[]): IncomingMessage => ({ rawHeaders, socket: { remoteAddress } }) as unknown as IncomingMessage

describe('what a proxy forwards', () => {
  const { hosts, isUnbelieved } = createForwarding(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

  it.each(['10.1.2.3', '192.0.2.7', '::ffff:10.9.9.9', 'fd12::1'])('is believed from %s', (peer) => {
    expect(hosts(request(peer, 'Host', 'inner:8000', 'X-Forwarded-Host', 'mcp.example'))).toEqual(['mcp.example'])
  })

  it.each(['11.0.0.1', '192.0.2.8', '::ffff:9.9.9.9', 'fe80::1', '', 'unknown'])('is not believed from %j', (peer) => {
    const forged = request(peer, 'Host', 'inner:8000', 'X-Forwarded-Host', 'mcp.example')
    expect(hosts(forged)).toEqual(['inner:8000'])
    expect(isUnbelieved(forged)).toBe(true)
  })

  it('is what the nearest proxy says, whatever those before it wrote', () => {
    expect(hosts(request('10.0.0.1', 'host', 'inner', 'x-forwarded-host', 'evil.test', 'X-Forwarded-Host', 'evil.test, mcp.example'))).toEqual(['mcp.example'])
  })

  it('is the Host header itself where nothing is forwarded, or where nobody is trusted', () => {
    expect(hosts(request('10.0.0.1', 'host', 'inner'))).toEqual(['inner'])
    for (const proxies of [undefined, []]) expect(createForwarding(proxies).hosts(request('10.0.0.1', 'host', 'inner', 'x-forwarded-host', 'evil.test'))).toEqual(['inner'])
  })
})
