/**
 * Whose token this is: an OAuth 2.1 resource server's check of JWT access tokens (RFC 9068, RFC 8725).
 * Issuer and audience are compared exactly, an expiry is required, and only asymmetric signatures count.
 */

import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import { createCallerCache } from './caller-cache.ts'
import { scopesOf, subjectOf } from './claims.ts'
import { createFixedKey } from './fixed-key.ts'
import { createKeySet } from './key-set.ts'
import type { KeyClient } from './key-set.ts'
import type { Keys } from './keys.ts'
import { readHeader } from './token-header.ts'
import type { TokenFault, Verified, VerifiedCaller } from './verdict.ts'

/** The part of the settings that identity reads, under the settings' own names. */
export interface IdentitySettings {
  readonly oauthIssuer: string | undefined
  readonly oauthAudience: string | undefined
  readonly oauthJwksUri: string | undefined
  /** PEM (SPKI) or one JWK as JSON. */
  readonly oauthPublicKey: string | undefined
}

export interface IdentityPorts {
  /** Needed only with a JWKS URI. */
  readonly client?: KeyClient
  readonly clock: Clock
}

export interface Identity {
  /** Judges the value of an Authorization header (RFC 6750 §2.1). Never throws. */
  verify(authorization: string | undefined): Promise<Verified>
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const SKEW_SECONDS = 30
const MAX_TOKEN_CHARS = 16_384
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

const MISSING: Verified = Object.freeze({ is: 'missing' })
const invalid = (reason: TokenFault): Verified => ({ is: 'invalid', reason })

/** @throws TypeError when issuer or audience is unset, when not exactly one source of keys is set, or for an unusable key. */
export async function createIdentity(settings: IdentitySettings, ports: IdentityPorts): Promise<Identity> {
  const { clock } = ports
  const { oauthIssuer: issuer, oauthAudience: audience } = settings
  if (issuer === undefined || audience === undefined) throw new TypeError('identity needs an issuer and an audience')
  const jose = await import('jose')
  const keys = keysOf(settings, ports, jose.createLocalJWKSet)
  const cache = createCallerCache<VerifiedCaller>()
  const expectations = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: SKEW_SECONDS, requiredClaims: ['exp', 'sub'] }

  const judge = async (token: string): Promise<Verified> => {
    const digest = createHash('sha256').update(token).digest('base64')
    const known = cache.get(digest, keys.generation, clock.now())
    if (known) return known
    const fault = readHeader(token)
    if (fault) return invalid(fault)
    const currentDate = new Date(clock.now())
    const { payload } = await jose.jwtVerify(token, (header) => keys.resolve(header), { ...expectations, currentDate })
    const verified = callerIn(payload)
    if (verified.is === 'caller') {
      const untilMs = ((payload.exp ?? 0) + SKEW_SECONDS) * 1000
      cache.set(digest, keys.generation, verified, untilMs)
    }
    return verified
  }

  return {
    async verify(authorization) {
      if (authorization === undefined) return MISSING
      if (!/^bearer(?: |$)/i.test(authorization)) return MISSING
      const token = authorization.length > MAX_TOKEN_CHARS ? undefined : BEARER.exec(authorization)?.[1]
      if (token === undefined) return invalid('malformed')
      try {
        return (await keys.ready()) ? await judge(token) : invalid('keys-unavailable')
      } catch (error) {
        return invalid(faultOf(error))
      }
    },
  }
}

type SetReader = typeof import('jose').createLocalJWKSet

function keysOf({ oauthJwksUri, oauthPublicKey }: IdentitySettings, { client, clock }: IdentityPorts, readSet: SetReader): Keys {
  if ((oauthJwksUri === undefined) === (oauthPublicKey === undefined)) throw new TypeError('identity needs a JWKS URI or a public key, one of them')
  if (oauthPublicKey !== undefined) return createFixedKey(oauthPublicKey, readSet)
  if (!client) throw new TypeError('identity needs a client to fetch the key set with')
  return createKeySet(oauthJwksUri ?? '', { client, clock, readSet })
}

function callerIn(payload: JWTPayload): Verified {
  const subject = subjectOf(payload.sub)
  if (subject === undefined) return invalid('subject')
  return Object.freeze({ is: 'caller', subject, scopes: scopesOf(payload) })
}

const BY_CODE: Readonly<Record<string, TokenFault>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JWKS_NO_MATCHING_KEY: 'key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'key',
}

const BY_CLAIM: Readonly<Record<string, TokenFault>> = { iss: 'issuer', aud: 'audience', nbf: 'not-yet', sub: 'subject' }

function faultOf(error: unknown): TokenFault {
  const { code, claim } = (error ?? {}) as { code?: unknown; claim?: unknown }
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return own(BY_CLAIM, claim) ?? 'claims'
  return own(BY_CODE, code) ?? 'malformed'
}

const own = (table: Readonly<Record<string, TokenFault>>, key: unknown): TokenFault | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
