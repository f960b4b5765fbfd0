/** The HTTP door with the keys of a real authorization server: what its tokens open, for how long, and to whom. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../free-port.ts'
import { openIdentity } from '../../src/app/identity.ts'
import type { OpenedIdentity } from '../../src/app/identity.ts'
import { createHttpDoor } from '../../src/doors/http/index.ts'
import type { HttpDoor } from '../../src/doors/http/index.ts'
import { createArrowhead } from '../../src/index.ts'
import type { Arrowhead, AuditRow } from '../../src/index.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import { memoryTrail } from '../../src/testing/index.ts'
import { openAuthorizationServer } from './authorization-server.ts'
import type { AuthorizationServer } from './authorization-server.ts'

const SCOPES = ['tools:read', 'notes:write']
const LIFE_SECONDS = 600
const SKEW_SECONDS = 30

const noteTool = defineTool({
  name: 'note', title: 'Note', summary: 'Keeps a note.', scope: 'notes:write', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false,
  perMinute: 60, uses: [], input: z.strictObject({}), output: z.strictObject({ kept: z.boolean() }), examples: [],
  touches: () => [],
  run: () => ({ kept: true }),
})

let folder: string
let issuer: AuthorizationServer
let house: Arrowhead
let door: HttpDoor
let identity: OpenedIdentity
let resource: string
let rows: AuditRow[]
let warnings: string[]
let passedMs: number

const revocationFile = (): string => join(folder, 'revoked')

async function open({ stepUp = false } = {}): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-identity-'))
  writeFileSync(revocationFile(), '')
  ;[rows, warnings, passedMs] = [[], [], 0]
  const port = await freePort()
  resource = `http://127.0.0.1:${port}`
  issuer = await openAuthorizationServer({ resources: [resource, `${resource}/mcp`, 'https://other.example'], scopes: SCOPES, lifeSeconds: LIFE_SECONDS })
  house = createArrowhead(
    {
      port, authEnabled: true, serverPublicUrl: resource, oauthIssuer: issuer.issuer, oauthAudience: resource, oauthJwksUri: issuer.jwksUri,
      internalEndpoints: [issuer.endpoint], oauthRevocationFile: revocationFile(), oauthStepUp: stepUp,
    },
    { tools: [noteTool], replace: { trail: memoryTrail(rows) } },
  )
  const clock = { now: () => Date.now() + passedMs, ticks: () => performance.now() + passedMs }
  const opened = await openIdentity(house.app.settings, { clock, warn: (text) => void warnings.push(text) })
  if (!opened) throw new Error('authentication is off')
  identity = opened
  door = createHttpDoor({ app: house.app, identity, version: '0.0.0-test', warn: () => {} })
  await door.listen()
}

// Both libraries tell the terminal what they think of a deployment like this one.
beforeAll(() => {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

afterEach(async () => {
  identity.close()
  await door.drain()
  await house.close()
  await issuer.close()
  rmSync(folder, { recursive: true })
})

const call = (token: string, name = 'calculate', args: object = { expression: '6 * 7' }): Promise<Response> =>
  fetch(`${resource}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })

/** The status of a call, and why it was refused if it was. */
async function fate(token: string): Promise<string> {
  const { status } = await call(token)
  return status === 200 ? 'accepted' : `${status} ${rows.at(-1)?.reason}`
}

const claimsOf = (token: string): Readonly<Record<string, unknown>> => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const pass = (seconds: number): void => void (passedMs += seconds * 1000)

describe('a token of an authorization server', () => {
  beforeEach(() => open())

  it('got with code, PKCE and this server as its resource, opens the door for whom it was given to', async () => {
    const { accessToken } = await issuer.login('ann')
    const answer = await call(accessToken)
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { result: 42 } } })
    expect(rows.at(-1)).toMatchObject({ component: 'calculate', caller: 'ann', outcome: 'ok' })
  })

  it('for another resource is refused, be it this server\u2019s own endpoint', async () => {
    for (const other of ['https://other.example', `${resource}/mcp`]) {
      const { accessToken } = await issuer.login('ann', { resource: other })
      expect(claimsOf(accessToken)['aud']).toBe(other)
      expect(await fate(accessToken)).toBe('401 audience')
    }
  })

  it('for no resource is refused, and for one that the authorization server does not know is never made', async () => {
    const { accessToken } = await issuer.login('ann', { resource: '' })
    expect(await fate(accessToken)).toBe('401 malformed')
    await expect(issuer.login('ann', { resource: 'https://unknown.example' })).rejects.toThrow('invalid_target')
  })

  it('that was refreshed opens the door again', async () => {
    const { accessToken, refreshToken = '' } = await issuer.login('ann')
    pass(LIFE_SECONDS + SKEW_SECONDS)
    expect(await fate(accessToken)).toBe('401 expired')
    passedMs = 0
    const fresh = await issuer.refresh(refreshToken)
    expect(fresh.accessToken).not.toBe(accessToken)
    expect(await fate(fresh.accessToken)).toBe('accepted')
  })

  it('stops opening it at its expiry, although it was accepted before', async () => {
    const { accessToken } = await issuer.login('ann')
    expect(await fate(accessToken)).toBe('accepted')
    pass(LIFE_SECONDS + SKEW_SECONDS - 10)
    expect(await fate(accessToken)).toBe('accepted')
    pass(10)
    expect(await fate(accessToken)).toBe('401 expired')
  })

  it('signed with a new key is accepted after one look at the key set; one of the old key then is not, although it was', async () => {
    const old = await issuer.login('ann')
    expect(await fate(old.accessToken)).toBe('accepted')
    expect(issuer.keyFetches()).toBe(1)
    issuer.rotateKeys()
    expect(await fate(old.accessToken)).toBe('accepted')
    pass(30)
    const fresh = await issuer.login('ann')
    expect(await fate(fresh.accessToken)).toBe('accepted')
    expect(issuer.keyFetches()).toBe(2)
    expect(await fate(old.accessToken)).toBe('401 key')
    expect(issuer.keyFetches()).toBe(2)
  })

  it('of a withdrawn key is refused within ten minutes and a call, although nobody came with a new one', async () => {
    const { accessToken } = await issuer.login('ann')
    expect(await fate(accessToken)).toBe('accepted')
    issuer.rotateKeys()
    pass(599)
    expect(await fate(accessToken)).toBe('accepted')
    // From here on each call starts a look at the key set, if none is under way, and does not wait for it.
    pass(1)
    await expect.poll(() => fate(accessToken)).toBe('401 key')
  })

  it('is refused once the file of revoked ones names it, and what the file loses by accident stays on the list', async () => {
    const [lost, kept] = await Promise.all([issuer.login('ann'), issuer.login('bob')])
    expect(await fate(lost.accessToken)).toBe('accepted')
    writeFileSync(`${revocationFile()}.new`, `jti:${String(claimsOf(lost.accessToken)['jti'])}\n`)
    renameSync(`${revocationFile()}.new`, revocationFile())
    await expect.poll(() => fate(lost.accessToken), { timeout: 5_000 }).toBe('401 revoked')
    expect(await fate(kept.accessToken)).toBe('accepted')
    rmSync(revocationFile())
    await expect.poll(() => warnings.length, { timeout: 5_000 }).toBe(1)
    expect(await fate(lost.accessToken)).toBe('401 revoked')
    writeFileSync(revocationFile(), 'sub:bob\n')
    await expect.poll(() => fate(kept.accessToken), { timeout: 5_000 }).toBe('401 revoked')
    expect(await fate(lost.accessToken)).toBe('accepted')
  })

  it('opens nothing at all where the file of revoked ones cannot be read at start', async () => {
    rmSync(revocationFile())
    await expect(openIdentity(house.app.settings)).rejects.toMatchObject({ name: 'ConfigError', problems: [expect.stringContaining('ARROWHEAD_OAUTH_REVOCATION_FILE')] })
  })
})

/** An MCP client's memory, and the person in front of it, who agrees to everything. */
function person(as: string): OAuthClientProvider & { readonly asked: URL[]; back: URL | undefined } {
  let [tokens, verifier]: [Awaited<ReturnType<OAuthClientProvider['tokens']>>, string] = [undefined, '']
  const made: ReturnType<typeof person> = {
    asked: [], back: undefined,
    redirectUrl: 'http://127.0.0.1:9/back',
    clientMetadata: { redirect_uris: ['http://127.0.0.1:9/back'], scope: 'tools:read' },
    clientInformation: () => ({ client_id: 'test-client' }),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    async redirectToAuthorization(url) {
      made.asked.push(url)
      made.back = await issuer.agree(url.href, as)
    },
  }
  return made
}

const connect = async (ann: ReturnType<typeof person>): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> => {
  const first = new StreamableHTTPClientTransport(new URL(`${resource}/mcp`), { authProvider: ann })
  await expect(new Client({ name: 'test', version: '0' }).connect(first)).rejects.toThrow(UnauthorizedError)
  await first.finishAuth(ann.back?.searchParams ?? new URLSearchParams())
  const transport = new StreamableHTTPClientTransport(new URL(`${resource}/mcp`), { authProvider: ann })
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport)
  return { client, transport }
}

describe('an MCP client that knows nothing but the URL', () => {
  it('is led to the authorization server, asks there for this resource, and is let in', async () => {
    await open()
    const ann = person('ann')
    const { client } = await connect(ann)
    expect(ann.asked.map((url) => [url.origin, url.searchParams.get('resource')])).toEqual([[issuer.issuer, resource]])
    expect(await client.callTool({ name: 'calculate', arguments: { expression: '6 * 7' } })).toMatchObject({ structuredContent: { result: 42 } })
    await expect(client.callTool({ name: 'note', arguments: {} })).rejects.toThrow('component.unknown')
    await client.close()
  })

  it('asks for the scope that a call lacks where step-up is on, and gets through with it', async () => {
    await open({ stepUp: true })
    const ann = person('ann')
    const { client, transport } = await connect(ann)
    await expect(client.callTool({ name: 'note', arguments: {} })).rejects.toThrow(UnauthorizedError)
    expect(ann.asked.at(-1)?.searchParams.get('scope')?.split(' ').sort()).toEqual(['notes:write', 'tools:read'])
    await transport.finishAuth(ann.back?.searchParams ?? new URLSearchParams())
    expect(await client.callTool({ name: 'note', arguments: {} })).toMatchObject({ structuredContent: { kept: true } })
    await client.close()
  })
})
