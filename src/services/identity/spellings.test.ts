/** One token, one text: other texts that say the same are refused, or count as the same. */

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { CompactSign } from 'jose'
import { describe, expect, it } from 'vitest'
import { AUDIENCE, ISSUER, NOW, bearer, first, jwk, setOf, world } from './identity.fixture.ts'
import { spellingsOf } from './spellings.ts'

const HEADER = '{"alg":"RS256","kid":"k1","typ":"at+jwt"}'
const CLAIMS = JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: 'user-1', exp: NOW / 1000 + 600 })
const including = (object: string, members: string): string => `${object.slice(0, -1)},${members}}`

/** A token of these two texts, signed as they stand. */
function signed(header: string, claims: string): string {
  const input = [header, claims].map((text) => Buffer.from(text).toString('base64url')).join('.')
  return `Bearer ${input}.${sign('sha256', Buffer.from(input), first).toString('base64url')}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex')

describe('a token', () => {
  it('is refused where bits of its last character that mean nothing are set', async () => {
    const { identity } = await world()
    const token = await bearer()
    const last = ALPHABET[ALPHABET.indexOf(token.at(-1) ?? '') + 1] ?? ''
    expect((await identity.verify(token)).is).toBe('caller')
    expect(await identity.verify(token.slice(0, -1) + last)).toEqual({ is: 'invalid', reason: 'malformed' })
  })

  it.each([
    ['a claim', CLAIMS, '"sub":"admin"'],
    ['a claim, once in escapes', CLAIMS, '"\\u0073ub":"admin"'],
    ['a member inside a claim', CLAIMS, '"act":{"sub":"a","sub":"b"}'],
  ])('is refused where it says %s twice', async (_what, claims, more) => {
    const { identity } = await world()
    expect((await identity.verify(signed(HEADER, claims))).is).toBe('caller')
    expect(await identity.verify(signed(HEADER, including(claims, more)))).toEqual({ is: 'invalid', reason: 'malformed' })
  })

  it('is refused where its claims begin with a byte order mark', async () => {
    const { identity } = await world()
    expect(await identity.verify(signed(HEADER, `\ufeff${CLAIMS}`))).toEqual({ is: 'invalid', reason: 'malformed' })
  })

  it.each([['an object', '"note":{"a":{"b":1}}'], ['a list of objects', '"note":[{"a":1},{"a":2}]'], ['a name of the language', '"__proto__":{"alg":"none"}'], ['text that looks like members', '"note":"\\"alg\\":\\"none\\""']])(
    'may have a header member that nobody knows and that is %s', async (_what, member) => {
      const { identity } = await world()
      expect((await identity.verify(signed(including(HEADER, member), CLAIMS))).is).toBe('caller')
    })

  it('is refused where an unknown header member repeats a name inside', async () => {
    const { identity } = await world()
    expect(await identity.verify(signed(including(HEADER, '"note":{"a":1,"a":2}'), CLAIMS))).toEqual({ is: 'invalid', reason: 'malformed' })
  })
})

describe('the two spellings of an ECDSA token', () => {
  it.each([['ES256', 'P-256'], ['ES384', 'P-384'], ['ES512', 'P-521']])('of %s both verify, and an entry for one revokes the other', async (alg, namedCurve) => {
    const key = generateKeyPairSync('ec', { namedCurve }).privateKey
    const made = await world()
    made.answer = () => ({ status: 200, body: setOf(jwk(key, 'k1')) })
    for (let at = 0; at < 20; at += 1) {
      const token = await new CompactSign(Buffer.from(including(CLAIMS, `"jti":"${at}"`))).setProtectedHeader({ alg, kid: 'k1', typ: 'at+jwt' }).sign(key)
      const [same, twin = ''] = spellingsOf(token, alg)
      expect(same).toBe(token)
      expect(spellingsOf(twin, alg)).toEqual([twin, token])
      for (const one of [token, twin]) expect((await made.identity.verify(`Bearer ${one}`)).is).toBe('caller')
      made.revoke(`sha256:${sha256(token)}`)
      for (const one of [token, twin]) expect(await made.identity.verify(`Bearer ${one}`)).toEqual({ is: 'invalid', reason: 'revoked' })
      made.revoke('')
    }
  })

  it('are one for a signature of another kind', async () => {
    const token = (await bearer()).slice('Bearer '.length)
    expect(spellingsOf(token, 'RS256')).toEqual([token])
    expect(spellingsOf(token, 'constructor')).toEqual([token])
  })
})
