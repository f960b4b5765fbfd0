import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { AUDIENCE, ISSUER, JWKS, NOW, bearer, ed, endless, first, jwk, pem, second, setOf, world } from './identity.fixture.ts'

describe('identity over a key set', () => {
  it('gives subject and scopes of a valid token, and the same object again for the same token', async () => {
    const { identity, fetches } = await world()
    const header = await bearer()
    const verified = await identity.verify(header)
    expect(verified).toEqual({ is: 'caller', subject: 'user-1', scopes: new Set(['a:read', 'b:read']) })
    expect(await identity.verify(header)).toBe(verified)
    expect(fetches()).toBe(1)
  })

  it('refreshes for unknown key ids at most every thirty seconds', async () => {
    const { identity, advance, fetches } = await world()
    const unknown = await bearer({ kid: 'nobody' })
    for (let at = 0; at < 20; at += 1) {
      expect(await identity.verify(unknown)).toEqual({ is: 'invalid', reason: 'key' })
      advance(5_000)
    }
    expect(fetches()).toBeLessThanOrEqual(5)
    expect(fetches()).toBeGreaterThan(1)
  })

  it('knows a key at once that was published after the keys were fetched', async () => {
    const made = await world()
    await made.identity.verify(await bearer())
    made.answer = () => ({ status: 200, body: setOf(jwk(first, 'k1'), jwk(second, 'k2')) })
    expect((await made.identity.verify(await bearer({ key: second, kid: 'k2' }))).is).toBe('caller')
    expect(made.fetches()).toBe(2)
  })

  it.each(['exp', 'nbf', 'iat'])('refuses a token whose %s is a number without an end', async (claim) => {
    const { identity } = await world()
    expect(await identity.verify(await endless(claim))).toEqual({ is: 'invalid', reason: 'claims' })
  })

  it('refuses a token that was issued in the future, by more than clocks differ', async () => {
    const { identity } = await world()
    const issued = async (seconds: number): Promise<unknown> => identity.verify(await bearer({ claims: { iat: NOW / 1000 + seconds } }))
    expect(await issued(31)).toEqual({ is: 'invalid', reason: 'not-yet' })
    for (const seconds of [30, 0, -600]) expect(await issued(seconds)).toMatchObject({ is: 'caller' })
  })

  it('hands on the claims that the operator named, and of those only what a query could bind', async () => {
    const claims = { org: 'acme', level: 3, staff: true, teams: ['a', 'b'], deep: { a: 1 }, long: 'x'.repeat(1_001), nul: 'a\0', mixed: ['a', { b: 1 }], other: 'not asked for' }
    const { identity } = await world({ oauthJwksUri: JWKS, sqlClaims: ['org', 'level', 'staff', 'teams', 'deep', 'long', 'nul', 'mixed', 'missing', 'toString', '__proto__'] })
    expect(await identity.verify(await bearer({ claims }))).toMatchObject({ is: 'caller', claims: { org: 'acme', level: 3, staff: true, teams: ['a', 'b'] } })
    expect(Object.keys((await identity.verify(await bearer({ claims }))) as object)).toContain('claims')
    expect(Object.keys(((await identity.verify(await bearer({ claims }))) as { claims: object }).claims)).toEqual(['org', 'level', 'staff', 'teams'])
    expect(await (await world()).identity.verify(await bearer({ claims }))).not.toHaveProperty('claims')
  })

  it('asks once when many callers come at the same time', async () => {
    const { identity, fetches } = await world()
    const headers = await Promise.all(Array.from({ length: 20 }, (_, at) => bearer({ claims: { sub: `user-${at}` } })))
    const all = await Promise.all(headers.map((header) => identity.verify(header)))
    expect(all.every(({ is }) => is === 'caller')).toBe(true)
    expect(fetches()).toBe(1)
  })

  it('goes on for an hour when the issuer is down, and then accepts nobody, remembered or not', async () => {
    const made = await world()
    const header = await bearer({ lifeSeconds: 86_400 })
    await made.identity.verify(header)
    made.answer = () => {
      throw new Error('down')
    }
    made.advance(3_000_000)
    expect((await made.identity.verify(header)).is).toBe('caller')
    made.advance(700_000)
    expect(await made.identity.verify(header)).toEqual({ is: 'invalid', reason: 'keys-unavailable' })
  })

  it('recovers when the issuer does', async () => {
    const made = await world()
    const good = made.answer
    made.answer = () => ({ status: 503, body: '' })
    expect(await made.identity.verify(await bearer())).toEqual({ is: 'invalid', reason: 'keys-unavailable' })
    made.answer = good
    expect(await made.identity.verify(await bearer())).toEqual({ is: 'invalid', reason: 'keys-unavailable' })
    made.advance(5_000)
    expect((await made.identity.verify(await bearer())).is).toBe('caller')
    expect(made.fetches()).toBe(2)
  })

  it('reads keys of more than a megabyte, of more than a hundred, and of no set at all, as none', async () => {
    for (const body of [' '.repeat(1_000_001), setOf(...Array.from({ length: 101 }, (_, at) => jwk(first, `k${at}`))), '[]', 'null', '{"keys":{}}']) {
      const made = await world()
      made.answer = () => ({ status: 200, body })
      expect(await made.identity.verify(await bearer())).toEqual({ is: 'invalid', reason: 'keys-unavailable' })
    }
  })
})

describe('identity of a token', () => {
  it('reads scopes from scp where scope is absent, and leaves out what is no scope', async () => {
    const { identity } = await world()
    const scopes = async (claims: object): Promise<unknown> => {
      const verified = await identity.verify(await bearer({ claims: { scope: undefined, ...claims } }))
      return verified.is === 'caller' ? [...verified.scopes] : verified
    }
    expect(await scopes({ scp: 'a b' })).toEqual(['a', 'b'])
    expect(await scopes({ scp: ['a', 7, 'b c', ''] })).toEqual(['a'])
    expect(await scopes({ scope: 'x', scp: ['a'] })).toEqual(['x'])
    expect(await scopes({ scope: { a: true } })).toEqual([])
    expect(await scopes({})).toEqual([])
  })

  it.each([['', 'subject'], ['  ', 'subject'], ['a\nb', 'subject'], ['a\u202eb', 'subject'], ['x'.repeat(257), 'subject'], [7, 'subject'], [null, 'subject']])(
    'names nobody by %j', async (sub, reason) => {
      const { identity } = await world()
      expect(await identity.verify(await bearer({ claims: { sub } }))).toEqual({ is: 'invalid', reason })
    })

  it.each([['logout+jwt'], ['dpop+jwt'], ['secevent+jwt']])('does not take a token of type %s', async (typ) => {
    const { identity } = await world()
    const token = await new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'a', exp: NOW / 1000 + 60 }).setProtectedHeader({ alg: 'RS256', kid: 'k1', typ }).sign(first)
    expect(await identity.verify(`Bearer ${token}`)).toEqual({ is: 'invalid', reason: 'type' })
  })

  it('tells credentials that are missing from ones that are wrong', async () => {
    const { identity, fetches } = await world()
    expect(await identity.verify(undefined)).toEqual({ is: 'missing' })
    expect(await identity.verify('Basic abc')).toEqual({ is: 'missing' })
    expect(await identity.verify('Bearer')).toEqual({ is: 'invalid', reason: 'malformed' })
    expect(await identity.verify('Bearer not.a')).toEqual({ is: 'invalid', reason: 'malformed' })
    expect(await identity.verify(`Bearer a.${'b'.repeat(16_384)}.c`)).toEqual({ is: 'invalid', reason: 'malformed' })
    expect(fetches()).toBe(0)
  })
})

describe('identity over one public key', () => {
  it('takes PEM and JWK, whatever key id a token names', async () => {
    for (const oauthPublicKey of [pem(ed), JSON.stringify(jwk(ed, 'mine'))]) {
      const { identity, fetches } = await world({ oauthPublicKey })
      expect((await identity.verify(await bearer({ key: ed, alg: 'EdDSA', kid: 'anything' }))).is).toBe('caller')
      expect(await identity.verify(await bearer())).toEqual({ is: 'invalid', reason: 'key' })
      expect(fetches()).toBe(0)
    }
  })

  it('does not start with a private, a short, or no key', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const secret = ed.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const oauthPublicKey of [secret, pem(short), 'nonsense', JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' }), JSON.stringify(ed.export({ format: 'jwk' }))]) {
      await expect(world({ oauthPublicKey })).rejects.toThrow(TypeError)
    }
  })

  it('checks nothing with weak keys, in a set or alone', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const strong = jwk(first, 'k1') as { readonly n: string }
    for (const weak of [{ ...strong, e: 'AQ' }, { ...strong, e: 'AQAA' }, { ...strong, e: 5 }, { ...strong, n: '' }, jwk(short, 'k1')]) {
      const made = await world()
      made.answer = () => ({ status: 200, body: setOf(weak) })
      expect(await made.identity.verify(await bearer())).toEqual({ is: 'invalid', reason: 'key' })
      await expect(world({ oauthPublicKey: JSON.stringify(weak) })).rejects.toThrow(TypeError)
    }
  })

  it('ignores members of a set that are no public keys, and uses the rest', async () => {
    const made = await world()
    const members = [null, 7, 'k1', [], {}, { kty: 7 }, { kty: 'oct', k: 'c2VjcmV0', kid: 'k1' }, { ...second.export({ format: 'jwk' }), kid: 'k1' }]
    made.answer = () => ({ status: 200, body: setOf(...(members as object[]), jwk(first, 'k1')) })
    expect((await made.identity.verify(await bearer())).is).toBe('caller')
  })

  it('does not start without issuer, audience, or exactly one source of keys', async () => {
    await expect(world({})).rejects.toThrow(TypeError)
    await expect(world({ oauthJwksUri: JWKS, oauthPublicKey: pem(ed) })).rejects.toThrow(TypeError)
    await expect(world({ oauthJwksUri: JWKS, oauthIssuer: undefined })).rejects.toThrow(TypeError)
    await expect(world({ oauthJwksUri: JWKS, oauthAudience: undefined })).rejects.toThrow(TypeError)
  })
})
