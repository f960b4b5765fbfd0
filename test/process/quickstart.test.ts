/** `quickstart` as whoever reads the README meets it: what it prints is all that a client needs. */

import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { readFileSync, statSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort, untilFree } from '../free-port.ts'
import { main } from '../../src/doors/cli/main.ts'
import { makePlace } from './child.ts'
import type { Place } from './child.ts'

let place: Place
beforeEach(() => void (place = makePlace()))
afterEach(() => place.remove())

const TOKEN_DAYS = 30

interface Entry {
  readonly url: string
  readonly headers: { readonly Authorization: string }
}

/** Starts it, uses what it prints, and stops it. */
async function served<T>(args: readonly string[], use: (entry: Entry, said: string) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  let said = ''
  const stderr = new PassThrough().on('data', (chunk: Buffer) => void (said += String(chunk)))
  const ended = start(args, { stderr, stop: stop.signal })
  try {
    await Promise.race([expect.poll(() => entryIn(said)).toBeDefined(), ended])
    return await use(entryIn(said) as Entry, said)
  } finally {
    stop.abort()
    expect(await ended, said).toBe(0)
  }
}

const start = (args: readonly string[], { stderr, stop }: { readonly stderr: PassThrough; readonly stop: AbortSignal }): Promise<number> =>
  main(['quickstart', ...args], { stdin: new PassThrough().end(), stdout: new PassThrough().resume(), stderr, env: place.env, cwd: place.cwd, home: place.cwd, platform: process.platform, stop, parent: () => 1 })

function entryIn(said: string): Entry | undefined {
  const json = /^\{\n[\s\S]*?^\}$/m.exec(said)?.[0]
  return json === undefined ? undefined : (JSON.parse(json) as { readonly mcpServers: { readonly arrowhead: Entry } }).mcpServers.arrowhead
}

const claimsOf = (authorization: string): { readonly iat: number; readonly exp: number } =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()) as { readonly iat: number; readonly exp: number }

test('the entry that it prints lets a client in, with every scope, and nobody gets in without', async () => {
  await served(['--port', String(await freePort())], async ({ url, headers }) => {
    const client = new Client({ name: 'reader', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['calculate', 'doc_search', 'memory_store']))
    expect(await client.callTool({ name: 'calculate', arguments: { expression: '6 * 7' } })).toMatchObject({ structuredContent: { result: 42 } })
    await client.close()
    expect((await fetch(url, { method: 'POST' })).status).toBe(401)
  })
})

test('the command that it prints for a shell has the token, whatever the folder is called and wherever it is typed', async () => {
  await served(['--port', String(await freePort()), '--data-dir', `${place.cwd}/it's mine`], async ({ headers }, said) => {
    const [, header = ''] = /--header (".*")$/m.exec(said) ?? []
    expect(execFileSync('sh', ['-c', `printf %s ${header}`], { cwd: '/', encoding: 'utf8' })).toBe(`Authorization: ${headers.Authorization}`)
  })
})

test('the token is good for as long as it says, is private, and stays the same at the next start', async () => {
  const port = await freePort()
  const args = ['--port', String(port)]
  const first = await served(args, async ({ headers }, said) => {
    const { iat, exp } = claimsOf(headers.Authorization)
    expect(exp - iat).toBe(TOKEN_DAYS * 86_400)
    expect(said).toContain(`valid for ${TOKEN_DAYS} days`)
    const file = /The token is in (\S+)/.exec(said)?.[1] ?? ''
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(headers.Authorization).toBe(`Bearer ${readFileSync(file, 'utf8').trim()}`)
    return headers.Authorization
  })
  await untilFree(port)
  expect(await served(args, async ({ headers }) => headers.Authorization)).toBe(first)
})

test('it serves this machine alone', async () => {
  let said = ''
  expect(await start(['--host', '0.0.0.0'], { stderr: new PassThrough().on('data', (chunk: Buffer) => void (said += String(chunk))), stop: new AbortController().signal })).toBe(78)
  expect(said).toContain('serves this machine alone')
})
