import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { scriptedConnection } from '../../../test/cases/ssrf.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { Connector, Resolver } from './index.ts'
import { OK, PUBLIC, egressWith, get, never, scripted } from './egress.fixture.ts'

describe('the address decision', () => {
  it('pins the first address and keeps the name for the server', async () => {
    const { dialled, connector } = scripted(OK)
    expect(await get({ connector, resolver: async () => ['8.8.8.8', '8.8.4.4'] })).toBe('200')
    expect(dialled).toEqual(['tls example.com 8.8.8.8 443'])
  })

  it.each([
    [['8.8.8.8', '10.0.0.1'], 'egress.address private'],
    [['10.0.0.1', '8.8.8.8'], 'egress.address private'],
    [['8.8.8.8', 'fe80::1%eth0'], 'egress.address unreadable'],
    [['8.8.8.8', ''], 'egress.address unreadable'],
    [['64:ff9b::a9fe:a9fe'], 'egress.address metadata'],
    [[], 'egress.unreachable no-address'],
  ])('refuses the answer %j whole', async (answer, expected) => {
    const { dialled, connector } = scripted(OK)
    expect(await get({ connector, resolver: async () => answer })).toBe(expected)
    expect(dialled).toEqual([])
  })

  it('refuses a name that cannot be resolved', async () => {
    expect(await get({ resolver: () => Promise.reject(new Error('ENOTFOUND')) })).toBe('egress.unreachable dns')
  })

  it('asks for an address once a hop, and never for a literal', async () => {
    const asked: string[] = []
    const counting: Resolver = async (host) => {
      asked.push(host)
      return [PUBLIC]
    }
    const { connector } = scripted('HTTP/1.1 302 Found\r\nlocation: https://8.8.8.8/\r\n\r\n', OK)
    expect(await get({ connector, resolver: counting })).toBe('200')
    expect(asked).toEqual(['example.com'])
  })

  it('resolves afresh on every hop, so a name that turned private in between is refused', async () => {
    const answers = [[PUBLIC], ['127.0.0.1']]
    const { dialled, connector } = scripted('HTTP/1.1 307 Again\r\nlocation: /b\r\n\r\n')
    expect(await get({ connector, resolver: async () => answers.shift() ?? [] })).toBe('egress.address loopback')
    expect(dialled).toHaveLength(1)
  })

  it('refuses a connection that ended up at another address', async () => {
    const astray: Connector = async () => scriptedConnection('8.8.4.4', OK)
    const nowhere: Connector = async () => Object.assign(scriptedConnection('', OK), { remoteAddress: undefined })
    expect(await get({ connector: astray })).toBe('egress.unreachable peer')
    expect(await get({ connector: nowhere })).toBe('egress.unreachable peer')
  })

  it('accepts the IPv4-mapped spelling that a dual-stack socket reports', async () => {
    const mapped: Connector = async () => scriptedConnection(`::ffff:${PUBLIC}`, OK)
    expect(await get({ connector: mapped })).toBe('200')
  })

  it('dials once, even where the connection fails', async () => {
    let dials = 0
    const failing: Connector = () => {
      dials += 1
      return Promise.reject(new Error('ECONNREFUSED'))
    }
    expect(await get({ connector: failing })).toBe('egress.unreachable connection')
    expect(dials).toBe(1)
  })

  it('dials once, even where the connection is closed before the request is out', async () => {
    let dials = 0
    const closing: Connector = async ({ address }) => {
      dials += 1
      const connection = scriptedConnection(address, OK)
      connection.destroy()
      return connection
    }
    expect(await get({ connector: closing, timeoutMs: 1000 })).toBe('egress.unreachable connection')
    expect(dials).toBe(1)
  })
})

describe('own and internal endpoints', () => {
  const { connector } = scripted(OK)
  const own = (address: string, port = 443) => ({ connector, ownAddresses: () => [{ address, port }] })

  it('never dials an address and port on which this process listens, even a public one', async () => {
    expect(await get(own(PUBLIC))).toBe('egress.address own')
    expect(await get(own(`::ffff:${PUBLIC}`))).toBe('egress.address own')
    expect(await get(own(PUBLIC, 8443))).toBe('200')
    expect(await get(own('8.8.8.8'))).toBe('200')
  })

  it('counts a wildcard listener as every address of this machine', async () => {
    const local = { resolver: async () => ['127.0.0.1'], dangerouslyTreatAsPublic: () => true }
    expect(await get({ ...own('0.0.0.0'), ...local })).toBe('egress.address own')
    expect(await get({ ...own('::'), ...local })).toBe('egress.address own')
    expect(await get(own('::'))).toBe('200')
  })

  it('counts the unspecified address as every listener of this machine', async () => {
    const zero = { resolver: async () => ['0.0.0.0'], dangerouslyTreatAsPublic: () => true }
    expect(await get({ ...own('127.0.0.1'), ...zero })).toBe('egress.address own')
  })

  it('refuses an internal endpoint by name and by address', async () => {
    expect(await get({ connector, internalEndpoints: ['Example.com:443'] })).toBe('egress.host internal')
    expect(await get({ connector, internalEndpoints: [`${PUBLIC}:443`] })).toBe('egress.address internal')
    expect(await get({ connector, internalEndpoints: ['example.com:8443'] })).toBe('200')
  })
})

describe('redirects', () => {
  const hop = (status: number, location: string): string => `HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\n\r\n`

  it.each([301, 302, 303, 307, 308])('follows %i and says where it ended', async (status) => {
    const { connector, dialled } = scripted(hop(status, 'http://other.example/b?c'), OK)
    const fetched = await egressWith({ connector }).get('https://example.com/a', never())
    expect(fetched).toEqual({
      status: 200,
      contentType: 'text/plain',
      body: 'ok',
      bytes: Buffer.from('ok'),
      finalUrl: 'http://other.example/b?c',
    })
    expect(dialled).toEqual([`tls example.com ${PUBLIC} 443`, `tcp other.example ${PUBLIC} 80`])
  })

  it('follows at most maxRedirects', async () => {
    const loop = scripted(hop(302, '/'))
    expect(await get({ connector: loop.connector, maxRedirects: 2 })).toBe('egress.redirects too-many')
    expect(loop.dialled).toHaveLength(3)
    expect(await get({ connector: scripted(hop(302, '/')).connector, maxRedirects: 0 })).toBe(
      'egress.redirects too-many',
    )
  })

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'egress.address metadata'],
    ['http://2130706433/', 'egress.address loopback'],
    ['file:///etc/passwd', 'egress.scheme scheme'],
    ['http://other.example/', 'egress.host not-listed'],
    ['https://example.com:22/', 'egress.port not-listed'],
    ['https://user:secret@example.com/', 'egress.url userinfo'],
    ['http://[', 'egress.url syntax'],
  ])('passes every check again: %s', async (location, expected) => {
    const { connector, dialled } = scripted(hop(302, location), OK)
    const allowedHosts = ['example.com', '169.254.169.254', '127.0.0.1']
    expect(await get({ connector, allowedHosts })).toBe(expected)
    expect(dialled).toHaveLength(1)
  })

  it('hands out a redirect without a target, and statuses that are none, as answers', async () => {
    const bare = 'HTTP/1.1 302 Found\r\ncontent-length: 4\r\n\r\nbody'
    const fetched = await egressWith({ connector: scripted(bare).connector }).get('https://example.com/', never())
    expect(fetched).toMatchObject({ status: 302, body: 'body' })
    expect(await get({ connector: scripted(hop(304, '/x')).connector })).toBe('304')
  })

  it.each(['/a b', '/a b \t', '\t /a b'])('reads the target %j without the blanks around it', async (location) => {
    const { connector } = scripted(hop(302, location), OK)
    const { finalUrl } = await egressWith({ connector }).get('https://example.com/', never())
    expect(finalUrl).toBe('https://example.com/a%20b')
  })

  it('reads a target written in UTF-8', async () => {
    const { connector } = scripted(hop(302, '/文書'), OK)
    const { finalUrl } = await egressWith({ connector }).get('https://example.com/', never())
    expect(finalUrl).toBe('https://example.com/%E6%96%87%E6%9B%B8')
  })
})

/** A response with binary content; bytes above 127 survive because the content is sent in its own connection write. */
const binary =
  (headers: string, content: Buffer): Connector =>
  async ({ address }) => {
    const connection = scriptedConnection(
      address,
      `HTTP/1.1 200 OK\r\n${headers}\r\ncontent-length: ${content.length}\r\n\r\n`,
    )
    const push = connection.push.bind(connection)
    connection.push = (chunk: unknown) => push(chunk) && push(content)
    return connection
  }

describe('bodies', () => {
  const text = 'hello '.repeat(100)
  const body = async (connector: Connector, maxBytes = 1000): Promise<string> => {
    try {
      return (await egressWith({ connector, maxBytes }).get('https://example.com/', never())).body
    } catch (error) {
      if (error instanceof Refusal) return `${error.code} ${error.reason}`
      throw error
    }
  }

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('undoes the encoding %j', async (encoding, content) => {
    expect(await body(binary(`content-encoding: ${encoding}`, content))).toBe(text)
  })

  it.each([
    ['content-encoding: gzip, gzip', 'unknown'],
    ['content-encoding: gzip\r\ncontent-encoding: br', 'unknown'],
    ['content-encoding: deflate', 'unknown'],
    ['content-encoding: zstd', 'unknown'],
    ['content-encoding: br', 'corrupt'],
  ])('refuses what was not asked for or does not decode: %j', async (headers, reason) => {
    expect(await body(binary(headers, gzipSync(gzipSync(text))))).toBe(`egress.encoding ${reason}`)
  })

  it('refuses a body that stops in the middle of its encoding', async () => {
    expect(await body(binary('content-encoding: gzip', gzipSync(text).subarray(0, -12)))).toBe(
      'egress.encoding corrupt',
    )
    expect(await body(binary('content-encoding: br', brotliCompressSync(text).subarray(0, -4)))).toBe(
      'egress.encoding corrupt',
    )
  })

  it('accepts exactly maxBytes and refuses one more, decoded', async () => {
    expect(await body(binary('x: y', Buffer.from(text)), text.length)).toBe(text)
    expect(await body(binary('x: y', Buffer.from(text)), text.length - 1)).toBe('egress.too-large body')
    expect(await body(binary('content-encoding: gzip', gzipSync(text)), text.length)).toBe(text)
    expect(await body(binary('content-encoding: gzip', gzipSync(text)), text.length - 1)).toBe('egress.too-large body')
  })

  it('stops an encoding that swallows input and yields nothing', async () => {
    const emptyMembers = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')))
    expect(await body(binary('content-encoding: gzip', emptyMembers), 100)).toBe('egress.too-large body')
  })

  it('accepts an answer that names an encoding and has no body', async () => {
    expect(await body(binary('content-encoding: gzip', Buffer.alloc(0)))).toBe('')
    expect(await body(scripted('HTTP/1.1 204 No Content\r\ncontent-encoding: br\r\n\r\n').connector)).toBe('')
  })

  it('replaces what is not UTF-8 and bounds the content type', async () => {
    const connector = binary(`content-type: ${'t'.repeat(500)}`, Buffer.from([0x61, 0xff, 0x62]))
    const fetched = await egressWith({ connector }).get('https://example.com/', never())
    expect(fetched.body).toBe('a\ufffdb')
    expect(fetched.contentType).toHaveLength(200)
  })

  it('refuses headers without end and answers that are no HTTP', async () => {
    const endless = `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(30)}\r\n`
    expect(await body(scripted(endless).connector)).toBe('egress.too-large headers')
    expect(await body(scripted('SSH-2.0-OpenSSH_9.6\r\n').connector)).toBe('egress.unreachable connection')
  })
})

describe('time and cancellation', () => {
  const silent: Resolver = () => new Promise(() => undefined)

  it('ends at the deadline whatever it is waiting for', async () => {
    expect(await get({ resolver: silent, timeoutMs: 20 })).toBe('egress.unreachable timeout')
    const deaf: Connector = () => new Promise(() => undefined)
    expect(await get({ connector: deaf, timeoutMs: 20 })).toBe('egress.unreachable timeout')
    const mute: Connector = async ({ address }) => scriptedConnection(address, '')
    expect(await get({ connector: mute, timeoutMs: 20 })).toBe('egress.unreachable timeout')
  })

  it('sends nothing for a signal that was aborted before', async () => {
    const { connector, dialled } = scripted(OK)
    expect(await get({ connector }, 'https://example.com/', AbortSignal.abort())).toBe('call.cancelled')
    expect(dialled).toEqual([])
  })

  it('ends at once when the caller aborts, with the refusal of the signal where it has one', async () => {
    const controller = new AbortController()
    const waiting = get({ resolver: silent }, 'https://example.com/', controller.signal)
    controller.abort(refusal('call.timeout'))
    expect(await waiting).toBe('call.timeout')
  })

  it('does not dial when the look-up ends after the deadline', async () => {
    const { connector, dialled } = scripted(OK)
    let answer = (_: readonly string[]): void => undefined
    const late: Resolver = () => new Promise((resolve) => (answer = resolve))
    expect(await get({ connector, resolver: late, timeoutMs: 20 })).toBe('egress.unreachable timeout')
    answer([PUBLIC])
    await new Promise((resolve) => setImmediate(resolve))
    expect(dialled).toEqual([])
  })
})

describe('construction', () => {
  it.each([
    [{ maxBytes: Number.NaN }],
    [{ maxBytes: 0 }],
    [{ timeoutMs: -1 }],
    [{ maxRedirects: 1.5 }],
    [{ allowedHosts: ['https://example.com'] }],
    [{ allowedPorts: [0] }],
    [{ internalEndpoints: ['example.com'] }],
  ])('refuses a policy that cannot be applied: %j', (options) => {
    expect(() => egressWith(options)).toThrow(TypeError)
  })
})

describe('start-up', () => {
  it('does not load the HTTP client: no source of this exit imports it statically', () => {
    const folder = new URL('.', import.meta.url)
    const sources = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'))
    const eager = sources.filter((name) =>
      /^import (?!type ).*'undici'/m.test(readFileSync(new URL(name, folder), 'utf8')),
    )
    expect(sources).toContain('exchange.ts')
    expect(eager).toEqual([])
  })
})
