/** How long a verified token is remembered: never past its expiry, its key or the moment it is revoked; and how often it is checked. */

import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bearer, jwk, second, setOf, world } from './identity.fixture.ts'

/** A promise, and the hand that settles it. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

afterEach(() => {
  vi.restoreAllMocks()
})

const sha256 = (header: string): string => createHash('sha256').update(header.slice('Bearer '.length)).digest('hex')

describe('a remembered token', () => {
  it('counts no longer than it lives', async () => {
    const { identity, advance } = await world()
    const header = await bearer({ lifeSeconds: 60 })
    expect((await identity.verify(header)).is).toBe('caller')
    advance(89_000)
    expect((await identity.verify(header)).is).toBe('caller')
    advance(2_000)
    expect(await identity.verify(header)).toEqual({ is: 'invalid', reason: 'expired' })
  })

  it('stops counting when its key was withdrawn, of which a rotated key tells', async () => {
    const made = await world()
    const old = await bearer()
    expect((await made.identity.verify(old)).is).toBe('caller')
    made.answer = () => ({ status: 200, body: setOf(jwk(second, 'k2')) })
    made.advance(31_000)
    expect((await made.identity.verify(await bearer({ key: second, kid: 'k2' }))).is).toBe('caller')
    expect(await made.identity.verify(old)).toEqual({ is: 'invalid', reason: 'key' })
    expect(made.fetches()).toBe(2)
  })

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
