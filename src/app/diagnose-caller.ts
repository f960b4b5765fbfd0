/** The checks behind `doctor` for who calls: the keys of the issuer, what it says of itself, and one token. */

import type { Settings } from '../config/index.ts'
import { ConfigError } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { systemClock } from '../exits/clock.ts'
import type { OperatorClient } from '../exits/net/index.ts'
import { claimsOf, keyClient, usableKeys } from '../services/identity/index.ts'
import type { TokenFault } from '../services/identity/index.ts'
import { fail, ok, said, shown, warn } from './finding.ts'
import type { Finding } from './finding.ts'
import { openIdentity } from './identity.ts'

const [TIMEOUT_MS, MAX_BYTES] = [5_000, 1_000_000]
const REACH = 'correct the address; one on a private network or over http is reached only if ARROWHEAD_INTERNAL_ENDPOINTS names its host:port'

/** The very way that the server goes: what it cannot reach, this cannot. */
const clientOf = async ({ internalEndpoints = [] }: Settings): Promise<OperatorClient> =>
  (await import('../exits/net/index.ts')).createOperatorClient({ internalHosts: internalEndpoints, userAgent: 'arrowhead' })

/** Reads keys and the list of revoked tokens as at start, and fetches the keys that are published. */
export async function diagnoseIdentity(settings: Settings): Promise<Finding> {
  if (!settings.authEnabled) return ok('authentication is off')
  try {
    const opened = await openIdentity(settings)
    opened?.close()
  } catch (error) {
    return fail('callers cannot be identified', error instanceof ConfigError ? error.problems.join('; ') : 'see docs/guides/auth.md')
  }
  const keys = await diagnoseKeys(settings)
  if (keys?.state === 'fail') return keys
  const { oauthAudience, serverPublicUrl } = settings
  if (oauthAudience !== serverPublicUrl) return warn('the audience is not the public URL', 'clients ask for tokens for the public URL; see docs/guides/auth.md')
  return ok(`callers are identified by their tokens${keys === undefined ? '' : `; ${keys.what}`}`)
}

async function diagnoseKeys(settings: Settings): Promise<Finding | undefined> {
  const { oauthJwksUri: url } = settings
  if (url === undefined) return undefined
  try {
    const answer = await keyClient(await clientOf(settings))(url)
    const keys = usableKeys(answer)
    if (keys === undefined) return fail(`what ARROWHEAD_OAUTH_JWKS_URI answers (${answer.status}) is no key set`, 'set it to the jwks_uri of the issuer\u2019s metadata')
    return keys === 0 ? fail('the key set has no key that may be used', 'let the issuer publish a public key of at least the usual strength, with its algorithm') : ok(`the issuer publishes ${keys} usable keys`)
  } catch (error) {
    return fail(`the keys of the issuer cannot be fetched: ${said(error)}`, `ARROWHEAD_OAUTH_JWKS_URI: ${REACH}`)
  }
}

/** What clients read to find the issuer (RFC 8414 §3, OpenID Connect Discovery §4); this server does without. */
export async function diagnoseIssuer(settings: Settings): Promise<Finding> {
  const { authEnabled, oauthIssuer: issuer, oauthJwksUri } = settings
  if (!authEnabled || issuer === undefined || oauthJwksUri === undefined) return ok('no issuer with metadata is set')
  const client = await clientOf(settings)
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  for (const url of [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}/.well-known/openid-configuration${path}`, `${origin}${path}/.well-known/openid-configuration`]) {
    const metadata = await documentAt(client, url)
    if (metadata !== undefined) return judgedMetadata(metadata, settings)
  }
  return warn('the issuer publishes no metadata that can be fetched from here', 'MCP clients need it to sign in: see whether ARROWHEAD_OAUTH_ISSUER is the issuer\u2019s own URL, and whether it serves /.well-known/oauth-authorization-server')
}

async function documentAt(client: OperatorClient, url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { status, body } = await client.request({ method: 'GET', url, headers: { accept: 'application/json' }, signal: new AbortController().signal, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
    const value: unknown = status === 200 ? JSON.parse(new TextDecoder().decode(body)) : undefined
    return typeof value === 'object' && value !== null && 'issuer' in value ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

function judgedMetadata(metadata: Readonly<Record<string, unknown>>, { oauthIssuer, oauthJwksUri }: Settings): Finding {
  const { issuer, jwks_uri: keys, code_challenge_methods_supported: methods } = metadata
  if (issuer !== oauthIssuer) return fail(`the issuer calls itself ${shown(issuer)}`, 'set ARROWHEAD_OAUTH_ISSUER to exactly that, closing slash included')
  if (keys !== oauthJwksUri) return warn(`the issuer names other keys: ${shown(keys)}`, 'set ARROWHEAD_OAUTH_JWKS_URI to that')
  if (Array.isArray(methods) && !methods.includes('S256')) return warn('the issuer does not offer PKCE with S256', 'MCP clients refuse to sign in there: switch it on')
  return ok('the issuer\u2019s metadata agrees with the settings')
}

/** What failed, the claim or member that is to blame, and what to do. */
const FAULTS: Readonly<Record<TokenFault, readonly [claim: string, next: string]>> = {
  audience: ['aud', 'let the client ask for this resource, or correct ARROWHEAD_OAUTH_AUDIENCE: path and closing slash count'],
  issuer: ['iss', 'ask the issuer of ARROWHEAD_OAUTH_ISSUER, or correct that: a closing slash counts'],
  expired: ['exp', 'get a new token; if it is new, set the clock'],
  'not-yet': ['nbf', 'wait, or set the clock'],
  subject: ['sub', 'let the issuer write a subject of visible characters'],
  claims: ['exp', 'let the issuer write both `exp` and `sub`'],
  type: ['typ', 'send the access token, and not the ID token'],
  algorithm: ['alg', 'let the issuer sign with a public key: RS, PS, ES or EdDSA'],
  key: ['kid', 'publish the key that signed it, or correct ARROWHEAD_OAUTH_JWKS_URI'],
  signature: ['signature', 'it was signed with another key of the same name: correct the key, or do not change the token'],
  malformed: ['form', 'it is no JWT: opaque tokens are issued where the client named no resource or the provider no API'],
  revoked: ['jti', 'it is on the list of ARROWHEAD_OAUTH_REVOCATION_FILE'],
  'keys-unavailable': ['keys', `the key set cannot be had, so no token can be judged: ${REACH}`],
}

/** Judges a token as the server would. @param token undefined where none was given. */
export async function diagnoseToken(settings: Settings, token: string | undefined, clock: Clock = systemClock): Promise<Finding> {
  if (token === undefined) return ok('no token was given to look at', settings.authEnabled ? 'doctor --token-file FILE says what is wrong with one' : undefined)
  const identity = await openIdentity(settings, { warn: () => {}, clock }).catch(() => undefined)
  if (identity === undefined) return settings.authEnabled ? fail('the token cannot be looked at', 'mend what identifies callers first') : warn('authentication is off, so nobody looks at the token', 'set ARROWHEAD_AUTH_ENABLED')
  try {
    const verdict = await identity.verify(`Bearer ${token.trim()}`)
    if (verdict.is === 'missing' || token.trim() === '') return fail('there is no token in the file', 'put one there, without the word Bearer')
    if (verdict.is === 'invalid') return faulty(verdict.reason, claimsOf(token.trim()))
    const scopes = [...verdict.scopes]
    if (scopes.length === 0) return warn(`the token of ${shown(verdict.subject)} is good and has no scope, so it sees nothing`, 'let the client ask for scopes, or expand those that it has with ARROWHEAD_SCOPE_EXPANSIONS')
    return ok(`the token of ${shown(verdict.subject)} is good, with the scopes ${shown(scopes.sort().join(' '))}`)
  } finally {
    identity.close()
  }
}

function faulty(reason: TokenFault, claims: Readonly<Record<string, unknown>>): Finding {
  const [claim, next] = FAULTS[reason]
  const named = reason === 'claims' && claims['exp'] !== undefined ? 'sub' : claim
  return fail(`the token is refused: ${reason} (\`${named}\`${claims[named] === undefined ? '' : ` is ${shown(claims[named])}`})`, next)
}
