/** What the identity's tests share: keys, tokens signed with them, and an identity over a clock and an issuer that tests hold. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { CompactSign, SignJWT } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import { createIdentity } from './identity.ts'
import type { Identity, IdentitySettings } from './identity.ts'
import type { KeyClient } from './key-set.ts'
import { openRevocations } from './revocations.ts'

export const NOW = 1_800_000_000_000
export const [ISSUER, AUDIENCE, JWKS] = ['https://as.example', 'https://mcp.example/mcp', 'https://as.example/jwks']

const rsa = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
export const [first, second] = [rsa(), rsa()]
export const ed = generateKeyPairSync('ed25519').privateKey

export const jwk = (key: KeyObject, kid: string): object => ({ ...createPublicKey(key).export({ format: 'jwk' }), kid })
export const pem = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
export const setOf = (...keys: readonly object[]): string => JSON.stringify({ keys })

export interface World {
  readonly identity: Identity
  /** What the issuer answers; a throw is an issuer that is down. */
  answer: () => { readonly status: number; readonly body: string }
  /** Puts another text in place of the list of revoked tokens. */
  revoke(text: string): void
  advance(ms: number): void
  fetches(): number
}

export async function world(settings: Partial<IdentitySettings> = { oauthJwksUri: JWKS }): Promise<World> {
  let [offset, fetches] = [0, 0]
  const clock: Clock = { now: () => NOW + offset, ticks: () => offset }
  const client: KeyClient = async () => {
    fetches += 1
    return made.answer()
  }
  let revoke = (_text: string): void => {}
  const revocations = openRevocations((onText) => {
    onText('')
    revoke = onText
    return () => {}
  }, () => {})
  const base = { oauthIssuer: ISSUER, oauthAudience: AUDIENCE, oauthJwksUri: undefined, oauthPublicKey: undefined }
  const made = {
    identity: await createIdentity({ ...base, ...settings }, { client, clock, revocations }),
    answer: (): { readonly status: number; readonly body: string } => ({ status: 200, body: setOf(jwk(first, 'k1')) }),
    revoke: (text: string) => revoke(text),
    advance: (ms: number) => void (offset += ms),
    fetches: () => fetches,
  }
  return made
}

interface TokenOptions {
  readonly key?: KeyObject
  readonly kid?: string
  readonly alg?: string
  readonly lifeSeconds?: number
  readonly claims?: object
}

export async function bearer({ key = first, kid = 'k1', alg = 'RS256', lifeSeconds = 600, claims = {} }: TokenOptions = {}): Promise<string> {
  const all = { iss: ISSUER, aud: AUDIENCE, sub: 'user-1', scope: 'a:read b:read', exp: NOW / 1000 + lifeSeconds, ...claims }
  return `Bearer ${await new SignJWT(all).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key)}`
}

/** A token in which one time is spelled as a number that JSON readers take for infinity. */
export async function endless(claim: string): Promise<string> {
  const text = JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: 'user-1', exp: NOW / 1000 + 600, [claim]: 'TIME' }).replace('"TIME"', claim === 'exp' ? '1e999' : '-1e999')
  return `Bearer ${await new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt' }).sign(first)}`
}
