import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort, untilFree } from '../../test/free-port.ts'
import { ConfigError, loadSettings } from '../config/index.ts'
import { diagnose } from './diagnose.ts'
import type { Checked } from './diagnose.ts'

let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-diagnose-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function checked(more: object = {}): Promise<Readonly<Record<string, Checked>>> {
  const all = await diagnose(loadSettings({ file: JSON.stringify(more) }).values, { dataDir, cwd: dataDir })
  return Object.fromEntries(all.map((one) => [one.check, one]))
}

it('looks at every part, and fails nothing on a machine where nothing is set', async () => {
  const all = await checked()
  expect(Object.keys(all)).toEqual([
    'node', 'descriptors', 'data', 'disk', 'trail', 'roots', 'documents', 'bucket', 'policies', 'levels', 'identity', 'issuer', 'token', 'clock', 'sql',
    'collections', 'embedding', 'model', 'runner', 'commands', 'redis', 'state', 'port', 'host-names', 'public-url',
  ])
  expect(Object.values(all).filter(({ state }) => state === 'fail')).toEqual([])
})

it('says what to do wherever something is not as it should be', async () => {
  chmodSync(dataDir, 0o755)
  const all = Object.values(await checked({ authEnabled: true, transport: 'http', oauthIssuer: 'https://as.example', oauthAudience: 'https://a.example', serverPublicUrl: 'https://127.0.0.1:1', oauthJwksUri: 'https://127.0.0.1:1/jwks' }))
  const amiss = all.filter(({ state }) => state !== 'ok')
  expect(amiss.map(({ check }) => check)).toEqual(expect.arrayContaining(['data', 'roots', 'identity', 'issuer', 'public-url']))
  for (const { check, next } of amiss) expect(next, check).toMatch(/\w/)
})

it('finds a trail that was changed, and one that is none takes no other check with it', async () => {
  writeFileSync(join(dataDir, 'audit.sqlite'), 'no database')
  const { trail, node } = await checked()
  expect(trail).toMatchObject({ state: 'fail' })
  expect(node).toMatchObject({ state: 'ok' })
})

it('finds that the port is taken', async () => {
  const [server, port] = [createServer(), await freePort()]
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect((await checked({ port }))['port']).toMatchObject({ state: 'warn' })
  server.close()
  await untilFree(port)
  expect((await checked({ port }))['port']).toMatchObject({ state: 'ok' })
})

it('opens the port only when nobody goes out any more', async () => {
  // Whoever listens there leaves once the public name was asked for.
  const port = await freePort()
  const server = createHttpServer((request, response) => {
    server.close()
    request.resume()
    void untilFree(port).then(() => response.writeHead(502, { connection: 'close' }).end())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: free } = await checked({ port, transport: 'http', dangerouslyAllowInsecureHttp: true, serverPublicUrl: `http://127.0.0.1:${port}` })
  expect(free).toMatchObject({ state: 'ok' })
})

it('warns of a level that was lowered', async () => {
  expect((await checked({ levelOverrides: ['calculate=CONFIRM'] }))['levels']).toMatchObject({ state: 'ok' })
  expect((await checked({ levelOverrides: ['run_snippet=SAFE'] }))['levels']).toMatchObject({ state: 'warn' })
})

it('ends as a start would where a policy cannot be applied', async () => {
  await expect(checked({ levelOverrides: ['no_such_tool=SAFE'] })).rejects.toThrow(ConfigError)
})
