/**
 * Wycheproof's JWS and JWK vectors against the parts that judge our tokens: the header check, the import of a key set
 * and the library's signature check with our algorithms. Their contents are no access tokens, so the claims come in
 * with a token of our own, signed with each vector's private key and put before the whole of it.
 */

import { existsSync, readFileSync } from 'node:fs'
import { SignJWT, compactVerify, createLocalJWKSet, importJWK } from 'jose'
import type { JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { createIdentity } from '../../src/services/identity/index.ts'
import { createKeySet } from '../../src/services/identity/key-set.ts'
import type { KeyClient } from '../../src/services/identity/key-set.ts'
import { ALGORITHMS, readHeader } from '../../src/services/identity/token-header.ts'
import { testClock } from '../../src/testing/index.ts'

interface Vector {
  readonly tcId: number
  readonly comment: string
  readonly jws: string | object
  readonly result: 'valid' | 'invalid'
}

interface Group {
  readonly comment: string
  readonly public?: JWK | { readonly keys: readonly JWK[] }
  readonly private?: JWK | { readonly keys: readonly JWK[] }
  readonly tests: readonly Vector[]
}

const FOLDER = new URL('../../../shared/corpora/jose/', import.meta.url)
const groupsIn = (file: string): readonly Group[] =>
  existsSync(FOLDER) ? (JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { testGroups: readonly Group[] }).testGroups : []

const GROUPS = [...groupsIn('json_web_signature_test.json'), ...groupsIn('json_web_key_test.json')]
const ABSENT = GROUPS.length === 0

/** Signatures that are right, under keys that say they are for another algorithm (RFC 7517 §4.4). */
const OTHER_ALGORITHM: ReadonlySet<string> = new Set(['rfc7520 346', 'rfc7520 347', 'rfc7520WithKeyOps 350', 'rfc7520WithKeyOps 351'])

const keysOf = (key: Group['public']): readonly JWK[] => (key === undefined ? [] : 'keys' in key ? (key as { keys: readonly JWK[] }).keys : [key as JWK])

const clientOf = (group: Group): KeyClient => async () => ({ status: 200, body: JSON.stringify({ keys: keysOf(group.public ?? group.private) }) })

/** Header, key and signature as a token's are judged. */
async function isSigned(group: Group, { jws }: Vector): Promise<boolean> {
  const token = typeof jws === 'string' ? jws : JSON.stringify(jws)
  const keys = createKeySet('https://as.example/jwks', { client: clientOf(group), clock: testClock(), readSet: createLocalJWKSet })
  if (!(await keys.ready()) || readHeader(token) !== undefined) return false
  return compactVerify(token, (header) => keys.resolve(header), { algorithms: ALGORITHMS }).then(() => true, () => false)
}

const named = ({ comment }: Group, { tcId }: Vector): string => `${comment} ${tcId}`
const isSymmetric = (group: Group): boolean => keysOf(group.public ?? group.private).some(({ kty }) => kty === 'oct')

describe.skipIf(ABSENT)('signature vectors (skipped where the corpus is absent)', () => {
  const all = GROUPS.flatMap((group) => group.tests.map((vector) => ({ group, vector, name: named(group, vector) })))
  const asymmetric = all.filter(({ group }) => !isSymmetric(group))

  it('are all there, valid and invalid, for each kind of key', () => {
    const valid = asymmetric.filter(({ vector }) => vector.result === 'valid')
    expect(all.length).toBeGreaterThanOrEqual(427)
    expect(asymmetric.length).toBeGreaterThanOrEqual(372)
    expect(valid.length).toBeGreaterThanOrEqual(37)
    expect(new Set(asymmetric.flatMap(({ group }) => keysOf(group.public)).map(({ alg }) => alg))).toContain('PS512')
  })

  it('that are valid verify, unless the key is for another algorithm than the token names', async () => {
    const refused = []
    for (const { group, vector, name } of asymmetric) if (vector.result === 'valid' && !(await isSigned(group, vector))) refused.push(name)
    expect(new Set(refused)).toEqual(OTHER_ALGORITHM)
  })

  it('that are invalid never verify', async () => {
    const accepted = []
    for (const { group, vector, name } of asymmetric) if (vector.result === 'invalid' && (await isSigned(group, vector))) accepted.push(name)
    expect(accepted).toEqual([])
  })

  it('of shared secrets never verify, even where the key set publishes the secret', async () => {
    const symmetric = all.filter(({ group }) => isSymmetric(group))
    expect(symmetric.filter(({ vector }) => vector.result === 'valid').length).toBeGreaterThan(5)
    for (const { group, vector, name } of symmetric) expect([name, await isSigned(group, vector)]).toEqual([name, false])
  })
})

describe.skipIf(ABSENT)('the keys of the vectors (skipped where the corpus is absent)', () => {
  const [ISSUER, AUDIENCE] = ['https://as.example', 'https://mcp.example']
  const SETTINGS = { oauthIssuer: ISSUER, oauthAudience: AUDIENCE, oauthJwksUri: `${ISSUER}/jwks`, oauthPublicKey: undefined }
  const clock = testClock()

  const tokenOf = async (key: JWK, alg: string): Promise<string> =>
    new SignJWT({ scope: 'docs:read' })
      .setProtectedHeader({ alg, typ: 'at+jwt', ...(key.kid !== undefined && { kid: key.kid }) })
      .setIssuer(ISSUER).setAudience(AUDIENCE).setSubject('ann').setExpirationTime(clock.now() / 1000 + 60)
      .sign(await importJWK(key, alg))

  const signing = GROUPS.filter((group) => group.public !== undefined && !isSymmetric(group))
    .flatMap((group) => keysOf(group.private).map((key) => [group.comment, String(key.alg), group, key] as const))
    .filter(([, , { tests }, { alg }]) => alg !== undefined && ALGORITHMS.includes(alg) && tests.some(({ result }) => result === 'valid'))

  it.each(signing)('%s: an access token signed with it (%s) is accepted', async (_comment, alg, group, key) => {
    const identity = await createIdentity(SETTINGS, { client: clientOf(group), clock })
    expect(await identity.verify(`Bearer ${await tokenOf({ ...key, key_ops: ['sign'] }, alg)}`)).toMatchObject({ is: 'caller', subject: 'ann' })
  })

  it('are used for every algorithm that has vectors', () => {
    expect(new Set(signing.map(([, alg]) => alg))).toEqual(new Set(['ES256', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']))
  })

  it('make nobody out of a vector, whatever it is', async () => {
    for (const group of GROUPS) {
      const identity = await createIdentity(SETTINGS, { client: clientOf(group), clock })
      for (const { jws } of group.tests) expect((await identity.verify(`Bearer ${typeof jws === 'string' ? jws : JSON.stringify(jws)}`)).is).toBe('invalid')
    }
  })
})
