import { describe, expect, it } from 'vitest'
import { scriptedConnection } from '../../../test/cases/ssrf.ts'
import type { Connector, EgressOptions } from './index.ts'
import { createOperatorClient } from './index.ts'
import { OK, never, outcome, resolver, scripted } from './egress.fixture.ts'

describe('the operator client', () => {
  const request = (url: string, internalHosts: readonly string[], options: Partial<EgressOptions> = {}) =>
    outcome(
      createOperatorClient({ internalHosts, userAgent: 'test', resolver, ...options }).request({
        method: 'POST',
        url,
        body: '{}',
        signal: never(),
        maxBytes: 1000,
        timeoutMs: 10_000,
      }),
    )
  const { connector } = scripted(OK)
  const loopback = { connector, resolver: async () => ['127.0.0.1', '::1'] }

  it('reaches an internal endpoint only when exactly that host and port was named', async () => {
    expect(await request('http://localhost:11434/v1', ['localhost:11434'], loopback)).toBe('200')
    expect(await request('http://LOCALHOST.:11434/v1', ['localhost:11434'], loopback)).toBe('200')
    expect(await request('http://[::1]:4318/', ['[::1]:4318'], loopback)).toBe('200')
    expect(await request('http://localhost:11435/v1', ['localhost:11434'], loopback)).toBe('egress.port not-listed')
    expect(await request('http://127.0.0.1:11434/', ['localhost:11434'], loopback)).toBe('egress.port not-listed')
    expect(await request('http://localhost/', ['localhost:443'], loopback)).toBe('egress.address loopback')
    expect(await request('http://x.localhost:11434/', ['localhost:11434'], loopback)).toBe('egress.port not-listed')
  })

  it('holds the lists for every other endpoint', async () => {
    const listed = { connector, allowedHosts: ['api.example.com'] }
    expect(await request('https://api.example.com/', [], listed)).toBe('200')
    expect(await request('https://other.example.com/', [], listed)).toBe('egress.host not-listed')
    expect(await request('http://model.example:8000/', ['model.example:8000'], { ...listed, allowedPorts: [] })).toBe(
      '200',
    )
  })

  it('keeps every check that is not about reachability', async () => {
    const named = ['localhost:11434']
    const url = 'http://localhost:11434/'
    expect(await request('ftp://localhost:11434/', named, loopback)).toBe('egress.scheme scheme')
    expect(await request('http://u@localhost:11434/', named, loopback)).toBe('egress.url userinfo')
    expect(await request(url, named, { connector, resolver: async () => [] })).toBe('egress.unreachable no-address')
    const own = { ...loopback, ownAddresses: () => [{ address: '127.0.0.1', port: 11434 }] }
    expect(await request(url, named, own)).toBe('egress.address own')
    const astray: Connector = async () => scriptedConnection('127.0.0.2', OK)
    expect(await request(url, named, { ...loopback, connector: astray })).toBe('egress.unreachable peer')
    const large = scripted(`HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n${'x'.repeat(2000)}`)
    expect(await request(url, named, { ...loopback, connector: large.connector })).toBe('egress.too-large body')
  })

  it('follows no redirect', async () => {
    const { connector: moved, dialled } = scripted(
      'HTTP/1.1 307 Moved\r\nlocation: http://localhost:11434/b\r\n\r\n',
      OK,
    )
    expect(await request('http://localhost:11434/', ['localhost:11434'], { ...loopback, connector: moved })).toBe(
      'egress.redirects not-followed',
    )
    expect(dialled).toHaveLength(1)
  })

  it('refuses endpoints that are not exact, and headers that belong to the connection', async () => {
    expect(() => createOperatorClient({ internalHosts: ['*.corp:80'], userAgent: 'test' })).toThrow(TypeError)
    const client = createOperatorClient({ internalHosts: [], userAgent: 'test', resolver, connector })
    const send = (headers: Readonly<Record<string, string>>) =>
      client.request({
        method: 'GET',
        url: 'https://example.com/',
        headers,
        signal: never(),
        maxBytes: 10,
        timeoutMs: 1000,
      })
    await expect(send({ Host: 'evil.test' })).rejects.toThrow(TypeError)
    await expect(send({ 'x-a': 'b\r\nhost: evil.test' })).rejects.toThrow(TypeError)
    await expect(send({ authorization: 'Bearer x' })).resolves.toMatchObject({ status: 200 })
  })
})
