/**
 * A real OAuth 2.1 authorization server (oidc-provider) on loopback, and a browser without a window: code flow with
 * PKCE and a resource indicator (RFC 8707), access tokens as JWT (RFC 9068), and keys that can be exchanged.
 */

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider, { errors } from 'oidc-provider'

export interface Grant {
  readonly accessToken: string
  readonly refreshToken: string | undefined
}

export interface AuthorizationServer {
  readonly issuer: string
  /** `host:port`, as a list of internal endpoints spells it. */
  readonly endpoint: string
  readonly jwksUri: string
  /** Times that the key set was asked for. */
  keyFetches(): number
  /** Signs with a new key and publishes that one alone. */
  rotateKeys(): void
  /** Goes through the whole flow as a person who agrees. Rejects with the server's error code. */
  login(as: string, request?: { readonly scope?: string; readonly resource?: string }): Promise<Grant>
  /** Follows an authorization URL to the end. @returns where the client is sent back to. */
  agree(url: string, as: string): Promise<URL>
  refresh(token: string, resource?: string): Promise<Grant>
  close(): Promise<void>
}

export interface AuthorizationServerOptions {
  /** Resources that tokens are given for; each is the audience of its tokens. */
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
  readonly lifeSeconds?: number
}

const CLIENT = { client_id: 'test-client', redirect_uri: 'http://127.0.0.1:9/back' } as const
const JWKS_PATH = '/jwks'

export async function openAuthorizationServer({ resources, scopes, lifeSeconds = 600 }: AuthorizationServerOptions): Promise<AuthorizationServer> {
  let [handle, fetches, keysMade] = [refuseAll, 0, 0]
  const server = createServer((request, response) => {
    if (request.url === JWKS_PATH) fetches += 1
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the authorization server does not listen')
  const endpoint = `127.0.0.1:${bound.port}`
  const issuer = `http://${endpoint}`

  const rotateKeys = (): void => {
    keysMade += 1
    handle = new Provider(issuer, configuration({ resources, scopes, lifeSeconds }, `key-${keysMade}`)).callback()
  }
  rotateKeys()

  const exchange = async (fields: Readonly<Record<string, string>>): Promise<Grant> => {
    const response = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams({ client_id: CLIENT.client_id, ...fields }) })
    const said = (await response.json()) as { access_token?: string; refresh_token?: string; error?: string }
    if (said.access_token === undefined) throw new Error(said.error)
    return { accessToken: said.access_token, refreshToken: said.refresh_token }
  }

  return {
    issuer, endpoint, rotateKeys, agree,
    jwksUri: issuer + JWKS_PATH,
    keyFetches: () => fetches,
    async login(as, { scope = scopes.join(' '), resource = resources[0] ?? '' } = {}) {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        ...CLIENT, response_type: 'code', scope: `openid offline_access ${scope}`, prompt: 'consent', state: 'state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
        ...(resource !== '' && { resource }),
      })
      const back = await agree(`${issuer}/auth?${query}`, as)
      const code = back.searchParams.get('code')
      if (code === null) throw new Error(back.searchParams.get('error') ?? 'no code')
      return exchange({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CLIENT.redirect_uri, ...(resource !== '' && { resource }) })
    },
    refresh: (token, resource = resources[0] ?? '') => exchange({ grant_type: 'refresh_token', refresh_token: token, resource }),
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const refuseAll: Handler = async (_request, response) => void response.writeHead(503).end()

const signingKey = (kid: string): object => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256',
})

const configuration = ({ resources, scopes, lifeSeconds }: Required<AuthorizationServerOptions>, kid: string): object => ({
  jwks: { keys: [signingKey(kid)] },
  cookies: { keys: [randomBytes(16).toString('hex')] },
  scopes: ['openid', 'offline_access', ...scopes],
  clients: [{
    client_id: CLIENT.client_id, redirect_uris: [CLIENT.redirect_uri], token_endpoint_auth_method: 'none', application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], id_token_signed_response_alg: 'ES256',
  }],
  findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  ttl: { AccessToken: lifeSeconds, AuthorizationCode: 60, Grant: 3_600, IdToken: 600, Interaction: 600, RefreshToken: 3_600, Session: 3_600 },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => false,
      getResourceServerInfo: (_context: unknown, resource: string) => {
        if (!resources.includes(resource)) throw new errors.InvalidTarget()
        return { scope: scopes.join(' '), audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: lifeSeconds, jwt: { sign: { alg: 'ES256' } } }
      },
    },
  },
})

/** Logs in and agrees, page by page, until the client's own address comes up. */
async function agree(url: string, as: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = new URL(url)
  let form: Readonly<Record<string, string>> | undefined
  for (let step = 0; step < 20; step += 1) {
    if (at.href.startsWith(CLIENT.redirect_uri)) return at
    const response = await fetch(at, {
      redirect: 'manual', method: form ? 'POST' : 'GET', headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = location === null ? await response.text() : ''
    form = location === null ? { prompt: page.includes('name="login"') ? 'login' : 'consent', login: as, password: 'any' } : undefined
    if (location !== null) at = new URL(location, at)
    else if (!page.includes('<form')) throw new Error('the authorization server shows no form')
  }
  throw new Error('the authorization server goes in circles')
}
