/** Really connects, through the pinning code, to servers of its own on loopback. */

import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import type { EgressOptions } from './index.ts'
import { createConnector, createEgress, createOperatorClient } from './index.ts'

/** One DER value (X.690 §8.1). */
const der = (tag: number, ...content: readonly (Uint8Array | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const ECDSA_SHA256 = der(0x30, der(0x06, '2a8648ce3d040302'))
const NAME = der(0x30, der(0x31, der(0x30, der(0x06, '550403'), der(0x0c, Buffer.from('test')))))
const VALIDITY = der(0x30, der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('21200101000000Z')))

/** A self-signed certificate (RFC 5280 §4.1) for host names and 127.0.0.1, made anew for every run. */
const selfSigned = (names: readonly string[]): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const alternatives = der(0x30, ...names.map((name) => der(0x82, Buffer.from(name))), der(0x87, '7f000001'))
  const extensions = der(0xa3, der(0x30, der(0x30, der(0x06, '551d11'), der(0x04, alternatives))))
  const version = der(0xa0, der(0x02, '02'))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const tbs = der(0x30, version, der(0x02, '01'), ECDSA_SHA256, NAME, VALIDITY, NAME, spki, extensions)
  const signature = der(0x03, '00', sign('sha256', tbs, privateKey))
  const base64 = der(0x30, tbs, ECDSA_SHA256, signature)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}

interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly serverName: string | false | null | undefined
  readonly reached: string | undefined
}

const seen: Seen[] = []
const tls = selfSigned(['pinned.test', 'other.test'])
const bomb = gzipSync(Buffer.alloc(50_000_000))
let closedEarly: Promise<unknown> | undefined

const handler: RequestListener = (request, response) => {
  const path = request.url ?? ''
  const serverName = (request.socket as TLSSocket).servername
  seen.push({ path, headers: request.headers, serverName, reached: request.socket.localAddress })
  if (path === '/bomb') {
    closedEarly = once(response, 'close')
    response.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': 'a=b' }).end(bomb)
  } else if (path === '/endless') {
    closedEarly = once(response, 'close')
    response.writeHead(200).write('first')
  } else if (path === '/metadata') {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  } else if (path === '/hop') {
    const location = `https://other.test:${request.socket.localPort}/landed`
    response.writeHead(302, { location, 'set-cookie': 'session=1' }).end()
  } else {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
  }
}

const servers: Server[] = [createServer(handler), createTlsServer(tls, handler)]
const ports: number[] = []

beforeAll(async () => {
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
})
afterEach(() => {
  seen.length = 0
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const url = (scheme: 'http' | 'https', path: string, name = 'pinned.test'): string =>
  `${scheme}://${name}:${scheme === 'http' ? ports[0] : ports[1]}${path}`

const egressWith = (options: Partial<EgressOptions> = {}) =>
  createEgress({
    allowedPorts: [80, 443, ...ports],
    maxBytes: 1_000_000,
    timeoutMs: 20_000,
    maxRedirects: 3,
    userAgent: 'arrowhead-test',
    resolver: async () => ['127.0.0.1'],
    connector: createConnector({ ca: tls.cert }),
    dangerouslyTreatAsPublic: (address) => address === '127.0.0.1',
    ...options,
  })

const get = async (target: string, options?: Partial<EgressOptions>, signal = new AbortController().signal) => {
  try {
    return (await egressWith(options).get(target, signal)).body
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.reason ?? ''}`.trim()
    throw error
  }
}

describe('a pinned connection', () => {
  it.each(['http', 'https'] as const)('goes to the address and keeps the name over %s', async (scheme) => {
    expect(await get(url(scheme, '/a?b=c#d'))).toBe('hello')
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ path: '/a?b=c', reached: '127.0.0.1' })
    expect(seen[0]?.headers.host).toBe(new URL(url(scheme, '/')).host)
    expect(seen[0]?.serverName).toBe(scheme === 'https' ? 'pinned.test' : undefined)
  })

  it('sends nothing but what a fetch needs, on the second hop too', async () => {
    expect(await get(url('https', '/hop'))).toBe('hello')
    expect(seen.map(({ path, serverName }) => [path, serverName])).toEqual([
      ['/hop', 'pinned.test'],
      ['/landed', 'other.test'],
    ])
    for (const { headers } of seen) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
      expect(headers).toMatchObject({
        'accept-encoding': 'gzip, br',
        connection: 'close',
        'user-agent': 'arrowhead-test',
      })
    }
  })

  it('checks the certificate against the name, and against the address where there is no name', async () => {
    expect(await get(url('https', '/', 'unknown.test'))).toBe('egress.unreachable tls')
    expect(await get(url('https', '/', '127.0.0.1'))).toBe('hello')
    expect(seen.map(({ serverName }) => serverName)).toEqual([false])
    expect(await get(url('https', '/'), { connector: createConnector() })).toBe('egress.unreachable tls')
  })

  it('keeps checking certificates when the process was told not to', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      expect(await get(url('https', '/', 'unknown.test'))).toBe('egress.unreachable tls')
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
  })

  it('is not opened to loopback unless a test says so', async () => {
    expect(await get(url('http', '/'), { dangerouslyTreatAsPublic: undefined })).toBe('egress.address loopback')
    expect(seen).toEqual([])
  })

  it('never dials a name', async () => {
    const dial = { address: 'localhost', port: ports[0] ?? 0, secure: false, name: 'localhost' }
    await expect(createConnector()({ ...dial, signal: new AbortController().signal })).rejects.toThrow('by name')
    expect(seen).toEqual([])
  })

  it('is not opened for a fetch that has ended', async () => {
    const dial = { address: '127.0.0.1', port: ports[0] ?? 0, secure: false, name: 'pinned.test' }
    await expect(createConnector()({ ...dial, signal: AbortSignal.abort(new Error('ended')) })).rejects.toThrow('ended')
  })

  it('stops a compression bomb at the cap and hangs up', async () => {
    expect(await get(url('https', '/bomb'))).toBe('egress.too-large body')
    await closedEarly
  })

  it('does not follow a redirect to a metadata address', async () => {
    expect(await get(url('http', '/metadata'))).toBe('egress.address metadata')
    expect(seen).toHaveLength(1)
  })

  it('ends when the caller aborts, and hangs up', async () => {
    const controller = new AbortController()
    const waiting = get(url('http', '/endless'), {}, controller.signal)
    await expect.poll(() => seen.length).toBe(1)
    controller.abort()
    expect(await waiting).toBe('call.cancelled')
    await closedEarly
  })

  it('ends at the deadline in the middle of a body, and hangs up', async () => {
    expect(await get(url('http', '/endless'), { timeoutMs: 200 })).toBe('egress.unreachable timeout')
    await closedEarly
  })

  it('says so when nobody listens', async () => {
    expect(await get('http://pinned.test:1/', { allowedPorts: [1] })).toBe('egress.unreachable connection')
  })

  it('reaches a named internal endpoint through the operator client, with the headers it was given', async () => {
    const host = `pinned.test:${ports[1]}`
    const options = {
      userAgent: 'test',
      resolver: async () => ['127.0.0.1'],
      connector: createConnector({ ca: tls.cert }),
    }
    const request = {
      method: 'POST',
      url: `https://${host}/v1`,
      headers: { Authorization: 'Bearer key', 'content-type': 'application/json' },
      body: '{"a":1}',
      signal: new AbortController().signal,
      maxBytes: 1000,
      timeoutMs: 20_000,
    } as const
    const answer = await createOperatorClient({ ...options, internalHosts: [host] }).request(request)
    expect(Buffer.from(answer.body).toString()).toBe('hello')
    expect(seen[0]?.headers).toMatchObject({ host, authorization: 'Bearer key', 'content-length': '7' })
    await expect(createOperatorClient({ ...options, internalHosts: [] }).request(request)).rejects.toThrow(Refusal)
  })
})
