import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { REFUSALS } from '../kernel/refusal.ts'
import { answering } from './answering.fixture.ts'
import type { Finding } from './finding.ts'
import { diagnoseBucket, diagnosePublicName } from './diagnose-reach.ts'

let close = (): void => {}
afterEach(() => close())

/** Whatever stands in front, and what it was asked. */
async function inFront(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, headers).end(body)
  })
  close = () => server.close()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const served = (serverPublicUrl: string) => loadSettings({ file: JSON.stringify({ transport: 'http', dangerouslyAllowInsecureHttp: true, serverPublicUrl }) }).values

it.each([
  [403, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"http.host: ${REFUSALS['http.host'].says}"}}`, 'fail', 'ARROWHEAD_HTTP_TRUSTED_PROXIES'],
  [421, 'Misdirected Request', 'fail', 'certificate'],
  [401, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"auth.token"}}', 'ok', undefined],
  [502, '<html>Bad Gateway</html>', 'warn', '/mcp'],
])('says what an answer of %d in front of the server means', async (status, body, state, next) => {
  const finding = await diagnosePublicName(served(await inFront(status, body)))
  expect(finding).toMatchObject({ state, ...(next !== undefined && { next: expect.stringContaining(next) }) })
})

it('says that nobody answers under the public name, and asks nobody where there is none', async () => {
  const url = await inFront(200, '')
  close()
  expect(await diagnosePublicName(served(url))).toMatchObject({ state: 'warn', what: expect.stringContaining('cannot be reached') })
  expect(await diagnosePublicName(loadSettings({}).values)).toMatchObject({ state: 'ok' })
})

/** A proxy that the server's answers to no token, to a bad one and for its metadata go through, as far as it lets them. */
async function proxied(lets: { readonly challenge?: boolean; readonly token?: boolean; readonly metadata?: boolean; readonly name?: string }): Promise<Finding> {
  const server = await answering(({ url, headers }) => {
    if (url !== '/mcp') return lets.metadata === false ? undefined : { body: '{"authorization_servers":[]}' }
    const bad = lets.token !== false && headers.authorization !== undefined
    const challenge = `Bearer ${bad ? 'error="invalid_token", ' : ''}resource_metadata="${lets.name ?? server.url}/.well-known/oauth-protected-resource/mcp"`
    return { status: 401, body: '{"jsonrpc":"2.0"}', headers: lets.challenge === false ? {} : { 'www-authenticate': challenge } }
  })
  close = server.close
  return diagnosePublicName({ ...served(server.url), authEnabled: true })
}

it.each([
  [{}, 'ok', 'passes what a sign-in needs'],
  [{ challenge: false }, 'fail', 'WWW-Authenticate'],
  [{ token: false }, 'fail', 'Authorization'],
  [{ metadata: false }, 'fail', 'answered with 404'],
  [{ name: 'https://elsewhere.example' }, 'fail', 'calls itself "https://elsewhere.example"'],
])('says what a proxy that lets %j through does to a sign-in', async (lets, state, what) => {
  expect(await proxied(lets)).toMatchObject({ state, what: expect.stringContaining(what) })
})

const bucketAt = (url: string) => loadSettings({ file: JSON.stringify({ docsS3Url: `${url}/bucket`, docsS3AccessKeyId: 'key', docsS3SecretAccessKey: 'secret-of-the-key' }) }).values

it.each([
  [412, 'ok', 'shared'],
  [200, 'fail', 'ignores conditional writes'],
  [403, 'fail', 'cannot be used'],
  [503, 'fail', 'cannot be used'],
])('judges a bucket that answers %d to a write of what is there', async (status, state, what) => {
  expect(await diagnoseBucket(bucketAt(await inFront(status, '', { etag: '"e"' })))).toMatchObject({ state, what: expect.stringContaining(what) })
})

it('wants a key for a bucket, and no bucket at all where none is named', async () => {
  expect(await diagnoseBucket({ ...bucketAt('http://127.0.0.1:1'), docsS3AccessKeyId: undefined })).toMatchObject({ state: 'fail' })
  expect(await diagnoseBucket(loadSettings({}).values)).toMatchObject({ state: 'ok' })
})
