import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { scriptedConnection } from '../../cases/ssrf.ts'
import { createEgress } from '../../../src/exits/net/index.ts'
import type { EgressOptions, Resolver } from '../../../src/exits/net/index.ts'
import { codeOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { OpenWorld, World } from '../world.ts'

const PUBLIC = '93.184.215.14'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const moved = (to: string): string => `HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`

interface Net extends OpenWorld {
  /** Addresses that were connected to. */
  readonly dialled: string[]
  fetch(url: string): Promise<string>
}

/** `safe_fetch` over a network of scripted answers; the last one is repeated. */
function network({ open }: World, options: Partial<EgressOptions> = {}, answers: readonly string[] = [OK]): Net {
  const dialled: string[] = []
  const connector: EgressOptions['connector'] = async ({ address }) => scriptedConnection(address, answers[Math.min(dialled.push(address), answers.length) - 1] ?? OK)
  const egress = createEgress({ maxBytes: 1_000, timeoutMs: 10_000, maxRedirects: 3, userAgent: 'test', resolver: async () => [PUBLIC], connector, ...options })
  const opened = open({ settings: { rateLimitEnabled: false }, options: { replace: { services: { egress } } } })
  return { ...opened, dialled, fetch: async (url) => codeOf(await opened.call('safe_fetch', { url })) }
}

const PRIVATE = [
  '127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '2130706433', '0x7f.1', '017700000001',
  '[::1]', '[::]', '[fe80::1]', '[fc00::1]', '[ff02::1]', '[::ffff:10.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]', '[2001:0:a9fe:a9fe::]', '[::a9fe:a9fe]',
]
const RESOLVED = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.100.0.1', '::1', 'fd00::1', '::ffff:192.168.0.1', '64:ff9b::7f00:1']

export const egress: Area = (proves) => {
  proves('egress.private-range', 'literal, wrapped and resolved private addresses are refused without a connection', async (world) => {
    const literal = network(world)
    for (const host of PRIVATE) expect([host, await literal.fetch(`http://${host}/`)]).toEqual([host, 'egress.address'])
    expect(literal.dialled).toEqual([])
    for (const address of RESOLVED) {
      const { fetch, dialled } = network(world, { resolver: async () => [address] })
      expect([address, await fetch('https://name.example/'), dialled]).toEqual([address, 'egress.address', []])
    }
    expect(await literal.fetch('https://name.example/')).toBe('ok')
  })

  proves('egress.mixed-answer', 'one private address among public ones refuses the name', async (world) => {
    for (const addresses of [[PUBLIC, '10.0.0.1'], ['10.0.0.1', PUBLIC]]) {
      const { fetch, dialled } = network(world, { resolver: async () => addresses })
      expect([await fetch('https://name.example/'), dialled]).toEqual(['egress.address', []])
    }
  })

  proves('egress.pinned', 'a name that turns private after the check is still reached at the checked address', async (world) => {
    let asked = 0
    const rebinding: Resolver = async () => [++asked === 1 ? PUBLIC : '127.0.0.1']
    const { fetch, dialled } = network(world, { resolver: rebinding })
    expect([await fetch('http://name.example/'), dialled, asked]).toEqual(['ok', [PUBLIC], 1])
  })

  proves('egress.redirects', 'a redirect to metadata, to a file or without end is refused', async (world) => {
    for (const [target, code] of [['http://169.254.169.254/latest/', 'egress.address'], ['file:///etc/passwd', 'egress.scheme'], ['http://x.example:22/', 'egress.port']] as const) {
      const { fetch, dialled } = network(world, {}, [moved(target), OK])
      expect([await fetch('http://name.example/'), dialled]).toEqual([code, [PUBLIC]])
    }
    const { fetch, dialled } = network(world, {}, [moved('http://name.example/again')])
    expect([await fetch('http://name.example/'), dialled.length]).toEqual(['egress.redirects', 4])
  })

  proves('egress.destination', 'other schemes, other ports and other hosts are refused, and an empty list allows none', async (world) => {
    const open = network(world)
    for (const url of ['file:///etc/passwd', 'gopher://x.example/', 'ftp://x.example/', 'data:text/plain,x', 'javascript:1']) expect(await open.fetch(url)).toBe('egress.scheme')
    for (const port of [22, 6379, 8080]) expect(await open.fetch(`http://x.example:${port}/`)).toBe('egress.port')
    const listed = network(world, { allowedHosts: ['a.example'], allowedPorts: [8080] })
    expect(await listed.fetch('http://a.example:8080/')).toBe('ok')
    expect(await listed.fetch('http://a.example/')).toBe('egress.port')
    for (const host of ['b.example', 'a.example.b.example', 'xa.example']) expect(await listed.fetch(`http://${host}:8080/`)).toBe('egress.host')
    expect(await network(world, { allowedHosts: [] }).fetch('http://a.example/')).toBe('egress.host')
    expect(await network(world, { allowedPorts: [] }).fetch('http://a.example/')).toBe('egress.port')
    expect(open.dialled).toEqual([])
  })

  proves('egress.no-credentials', 'a real server sees the four headers of a fetch and no other, on every hop', async (world) => {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer(({ headers, url }, response) => {
      seen.push(headers)
      if (url === '/') response.writeHead(302, { location: '/next', 'set-cookie': 'session=1' }).end()
      else response.end('ok')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    world.later(() => server.close())
    const { port } = server.address() as AddressInfo
    const { dispatch } = network(world, { connector: undefined, resolver: async () => ['127.0.0.1'], allowedPorts: [port], dangerouslyTreatAsPublic: () => true })
    const outcome = await dispatch({ kind: 'tool', name: 'safe_fetch', args: { url: `http://name.example:${port}/` } })
    expect(outcome.is).toBe('ok')
    expect(seen.map((headers) => Object.keys(headers).filter((name) => name !== 'connection').sort())).toEqual([0, 1].map(() => ['accept', 'accept-encoding', 'host', 'user-agent']))
  })

  proves('egress.bounded', 'a compressed body that grows past the limit is refused', async (world) => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const server = createServer((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    world.later(() => server.close())
    const { port } = server.address() as AddressInfo
    const { fetch } = network(world, { connector: undefined, resolver: async () => ['127.0.0.1'], maxBytes: 100_000, allowedPorts: [port], dangerouslyTreatAsPublic: () => true })
    if (bomb.length > 100_000) throw new Error('the bomb is larger than the limit before it is opened')
    expect(await fetch(`http://name.example:${port}/`)).toBe('egress.too-large')
  })
}
