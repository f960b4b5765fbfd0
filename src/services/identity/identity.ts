/**
 * Whose token this is: an OAuth 2.1 resource server's check of JWT access tokens (RFC 9068, RFC 8725).
 * Issuer and audience are compared exactly, an expiry is required, and only asymmetric signatures count.
 * What a token said is remembered until it expires, its key is withdrawn or it is revoked, whichever is first.
 */

import { hash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { createCallerCache } from './caller-cache.ts'
import { claimsOf, jtiOf, scopesOf, subjectOf } from './claims.ts'
import { faultOf } from './faults.ts'
import { openKeys } from './open-keys.ts'
import type { KeyPorts, KeySettings } from './open-keys.ts'
import type { Keys } from './keys.ts'
import type { Revocations, TokenNames } from './revocations.ts'
import { createSingleFlight } from './single-flight.ts'
import { spellingsOf } from './spellings.ts'
import { ALGORITHMS, hasPlainClaims, readHeader } from './token-header.ts'
import type { TokenFault, Verified, VerifiedCaller } from './verdict.ts'

/** The part of the settings that identity reads, under the settings' own names. */
export interface IdentitySettings extends KeySettings {
  readonly oauthIssuer: string | undefined
  readonly oauthAudience: string | undefined
  /** Names of the claims that go with a caller. */
  readonly sqlClaims?: readonly string[] | undefined
}

export interface IdentityPorts extends KeyPorts {
  readonly clock: Clock
  readonly revocations?: Revocations
}

export interface Identity {
  /** Judges the value of an Authorization header (RFC 6750 §2.1), at once where the verdict is remembered. Never throws. */
  verify(authorization: string | undefined): Verified | Promise<Verified>
}

interface Accepted {
  readonly caller: VerifiedCaller
  readonly names: TokenNames
}

const SKEW_SECONDS = 30
const MAX_TOKEN_CHARS = 16_384
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

const digestOf = (token: string): string => hash('sha256', token, 'hex')

const MISSING: Verified = Object.freeze({ is: 'missing' })
const invalid = (reason: TokenFault): Extract<Verified, { is: 'invalid' }> => ({ is: 'invalid', reason })

/** @throws TypeError when issuer or audience is unset, when not exactly one source of keys is set, or for an unusable key. */
export async function createIdentity(settings: IdentitySettings, ports: IdentityPorts): Promise<Identity> {
  const { clock, revocations } = ports
  const { oauthIssuer: issuer, oauthAudience: audience, sqlClaims = [] } = settings
  if (issuer === undefined || audience === undefined) throw new TypeError('identity needs an issuer and an audience')
  const jose = await import('jose')
  const keys = openKeys(settings, ports, jose.createLocalJWKSet)
  const cache = createCallerCache<Accepted>()
  const once = createSingleFlight<Accepted | Extract<Verified, { is: 'invalid' }>>()
  const expectations = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: SKEW_SECONDS, requiredClaims: ['exp', 'sub'] }

  const judge = async (token: string, sha256: string): Promise<Accepted | Extract<Verified, { is: 'invalid' }>> => {
    const fault = readHeader(token) ?? (hasPlainClaims(token) ? undefined : 'malformed')
    if (fault) return invalid(fault)
    const steady = steadyKeys(keys)
    const { payload, protectedHeader } = await jose.jwtVerify(token, steady.resolve, { ...expectations, currentDate: new Date(clock.now()) })
    // JSON spells numbers that are too large to be any, and what never comes would never end.
    if (![payload.exp, payload.nbf, payload.iat].every((at) => at === undefined || Number.isFinite(at))) return invalid('claims')
    // What was issued in the future was issued by a clock that is wrong, and so may its expiry be.
    if ((payload.iat ?? 0) > clock.now() / 1000 + SKEW_SECONDS) return invalid('not-yet')
    const subject = subjectOf(payload.sub)
    if (subject === undefined) return invalid('subject')
    const claims = claimsOf(payload, sqlClaims)
    const accepted: Accepted = {
      caller: Object.freeze({ is: 'caller', subject, scopes: scopesOf(payload), ...(claims && { claims }) }),
      names: { jti: jtiOf(payload), subject, sha256: spellingsOf(token, protectedHeader.alg).map(digestOf) },
    }
    cache.set(sha256, steady.generation(), accepted, ((payload.exp ?? 0) + SKEW_SECONDS) * 1000)
    return accepted
  }

  const unlessRevoked = ({ caller, names }: Accepted): Verified => (revocations?.names(names) ? invalid('revoked') : caller)

  const verifyToken = (token: string): Verified | Promise<Verified> => {
    const sha256 = digestOf(token)
    const isReady = keys.ready()
    const known = isReady === true ? cache.get(sha256, keys.generation, clock.now()) : undefined
    return known ? unlessRevoked(known) : verifyAnew(token, sha256, isReady).catch((error: unknown) => invalid(faultOf(error)))
  }

  const verifyAnew = async (token: string, sha256: string, isReady: boolean | Promise<boolean>): Promise<Verified> => {
    if (!(await isReady)) return invalid('keys-unavailable')
    const { generation } = keys
    const judged = cache.get(sha256, generation, clock.now()) ?? (await once(`${generation} ${sha256}`, () => judge(token, sha256)))
    return 'is' in judged ? judged : unlessRevoked(judged)
  }

  return {
    verify(authorization) {
      if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) return MISSING
      const token = authorization.length > MAX_TOKEN_CHARS ? undefined : BEARER.exec(authorization)?.[1]
      return token === undefined ? invalid('malformed') : verifyToken(token)
    },
  }
}

/** Finds a key and knows with which generation of keys it was found, even where they change meanwhile. */
function steadyKeys(keys: Keys): { readonly resolve: Keys['resolve']; generation(): number } {
  let found = keys.generation
  return {
    generation: () => found,
    async resolve(header) {
      for (;;) {
        found = keys.generation
        const key = await keys.resolve(header)
        if (keys.generation === found) return key
      }
    },
  }
}
