import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Clock } from '../../kernel/clock.ts'
import { createIdentity } from './identity.ts'
import type { Identity, IdentitySettings } from './identity.ts'
import type { KeyClient } from './key-set.ts'
import { openRevocations } from './revocations.ts'

const NOW = 1_800_000_000_000
const [ISSUER, AUDIENCE, JWKS] = ['https://as.example', 'https://mcp.example/mcp', 'https://as.example/jwks']

const rsa = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const [first, second] = [rsa(), rsa()]
const ed = generateKeyPairSync('ed25519').privateKey

const jwk = (key: KeyObject, kid: string): object => ({ ...createPublicKey(key).export({ format: 'jwk' }), kid })
const pem = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
const setOf = (...keys: readonly object[]): string => JSON.stringify({ keys })

/** A promise, and the hand that settles it. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

interface World {
  readonly identity: Identity
  /** What the issuer answers; a throw is an issuer that is down. */
  answer: () => { readonly status: number; readonly body: string }
  /** Puts another text in place of the list of revoked tokens. */
  revoke(text: string): void
  advance(ms: number): void
  fetches(): number
}

async function world(settings: Partial<IdentitySettings> = { oauthJwksUri: JWKS }): Promise<World> {
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

async function bearer({ key = first, kid = 'k1', alg = 'RS256', lifeSeconds = 600, claims = {} }: TokenOptions = {}): Promise<string> {
  const all = { iss: ISSUER, aud: AUDIENCE, sub: 'user-1', scope: 'a:read b:read', exp: NOW / 1000 + lifeSeconds, ...claims }
  return `Bearer ${await new SignJWT(all).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key)}`
}

describe('identity over a key set', () => {
  it('gives subject and scopes of a valid token, and the same object again for the same token', async () => {
    const { identity, fetches } = await world()
    const header = await bearer()
    const verified = await identity.verify(header)
    expect(verified).toEqual({ is: 'caller', subject: 'user-1', scopes: new Set(['a:read', 'b:read']) })
    expect(await identity.verify(header)).toBe(verified)
    expect(fetches()).toBe(1)
  })

  it('remembers a token no longer than it lives', async () => {
    const { identity, advance } = await world()
    const header = await bearer({ lifeSeconds: 60 })
    expect((await identity.verify(header)).is).toBe('caller')
    advance(89_000)
    expect((await identity.verify(header)).is).toBe('caller')
    advance(2_000)
    expect(await identity.verify(header)).toEqual({ is: 'invalid', reason: 'expired' })
  })

  it('finds a rotated key, and forgets tokens of a key that was withdrawn', async () => {
    const made = await world()
    const old = await bearer()
    expect((await made.identity.verify(old)).is).toBe('caller')
    made.answer = () => ({ status: 200, body: setOf(jwk(second, 'k2')) })
    made.advance(31_000)
    expect((await made.identity.verify(await bearer({ key: second, kid: 'k2' }))).is).toBe('caller')
    expect(await made.identity.verify(old)).toEqual({ is: 'invalid', reason: 'key' })
    expect(made.fetches()).toBe(2)
  })

  it('refreshes for unknown key ids at most every thirty seconds', async () => {
    const { identity, advance, fetches } = await world()
    const unknown = await bearer({ kid: 'nobody' })
    for (let at = 0; at < 20; at += 1) {
      expect(await identity.verify(unknown)).toEqual({ is: 'invalid', reason: 'key' })
      advance(5_000)
    }
    expect(fetches()).toBeLessThanOrEqual(4)
    expect(fetches()).toBeGreaterThan(1)
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

describe('a remembered token', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const sha256 = (header: string): string => createHash('sha256').update(header.slice('Bearer '.length)).digest('hex')

  it.each([
    ['its id', () => 'jti:t-1'],
    ['its subject', () => 'sub:user-1'],
    ['its digest', (header: string) => `sha256:${sha256(header).toUpperCase()}`],
  ])('stops counting the moment the list has %s, and counts again when it is taken off', async (_what, entry) => {
    const made = await world()
    const [header, other] = [await bearer({ claims: { jti: 't-1' } }), await bearer({ claims: { jti: 't-2', sub: 'user-2' } })]
    for (const one of [header, other]) expect((await made.identity.verify(one)).is).toBe('caller')
    made.revoke(`# left the company\n\n${entry(header)}\n`)
    expect(await made.identity.verify(header)).toEqual({ is: 'invalid', reason: 'revoked' })
    expect((await made.identity.verify(other)).is).toBe('caller')
    made.revoke('')
    expect((await made.identity.verify(header)).is).toBe('caller')
  })

  it('is revoked while it is being verified for the first time', async () => {
    const made = await world()
    const answer = made.identity.verify(await bearer())
    made.revoke('sub:user-1')
    expect(await answer).toEqual({ is: 'invalid', reason: 'revoked' })
  })

  it('has its signature checked once for two hundred who bring it at the same time', async () => {
    const { identity, fetches } = await world()
    const checks = vi.spyOn(crypto.subtle, 'verify')
    const header = await bearer()
    const all = await Promise.all(Array.from({ length: 200 }, () => identity.verify(header)))
    expect(new Set(all).size).toBe(1)
    expect(all[0]?.is).toBe('caller')
    expect([checks.mock.calls.length, fetches()]).toEqual([1, 1])
  })

  it('that is wrong is checked once for all who bring it at the same time, and anew for the next', async () => {
    const { identity } = await world()
    const checks = vi.spyOn(crypto.subtle, 'verify')
    const header = await bearer({ key: second })
    const all = await Promise.all(Array.from({ length: 200 }, () => identity.verify(header)))
    expect(all.every((one) => one.is === 'invalid' && one.reason === 'signature')).toBe(true)
    expect(checks).toHaveBeenCalledTimes(1)
    await identity.verify(header)
    expect(checks).toHaveBeenCalledTimes(2)
  })

  it('is not remembered when its key was withdrawn while its signature was checked', async () => {
    const made = await world()
    const [old, next] = [await bearer(), await bearer({ key: second, kid: 'k2' })]
    await made.identity.verify(await bearer({ claims: { sub: 'somebody-else' } }))
    const slow = gate()
    const check = crypto.subtle.verify.bind(crypto.subtle)
    const checks = vi.spyOn(crypto.subtle, 'verify').mockImplementation(async (...args) => {
      await slow.opened
      return check(...args)
    })
    const early = made.identity.verify(old)
    await vi.waitFor(() => expect(checks).toHaveBeenCalledTimes(1))
    made.answer = () => ({ status: 200, body: setOf(jwk(second, 'k2')) })
    made.advance(31_000)
    const rotated = made.identity.verify(next)
    await vi.waitFor(() => expect(made.fetches()).toBe(2))
    const late = made.identity.verify(old)
    slow.open()
    expect((await rotated).is).toBe('caller')
    expect((await early).is).toBe('caller')
    expect(await late).toEqual({ is: 'invalid', reason: 'key' })
    expect(await made.identity.verify(old)).toEqual({ is: 'invalid', reason: 'key' })
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
