import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdentity } from './identity.ts'
import { mintLocalToken } from './local-issuer.ts'
import type { LocalToken, LocalTokenOptions } from './local-issuer.ts'

const NOW = 1_800_000_000_000
let dataDir = ''

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-local-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const mint = (changes: Partial<LocalTokenOptions> = {}): Promise<LocalToken> =>
  mintLocalToken({
    dataDir, issuer: 'http://127.0.0.1:8000', audience: 'http://127.0.0.1:8000', scopes: ['a:read', 'b:read'], subject: 'local', ttlSeconds: 1000,
    clock: { now: () => NOW }, ...changes,
  })

describe('a local token', () => {
  it('is accepted by the verifier that every other token meets', async () => {
    const { token, publicKeyPem } = await mint()
    const identity = await createIdentity(
      { oauthIssuer: 'http://127.0.0.1:8000', oauthAudience: 'http://127.0.0.1:8000', oauthJwksUri: undefined, oauthPublicKey: publicKeyPem },
      { clock: { now: () => NOW, ticks: () => 0 } },
    )
    expect(await identity.verify(`Bearer ${token}`)).toEqual({ is: 'caller', subject: 'local', scopes: new Set(['a:read', 'b:read']) })
  })

  it('is kept in files that only their owner reads', async () => {
    const { token, tokenFile } = await mint()
    expect(readFileSync(tokenFile, 'utf8').trim()).toBe(token)
    for (const file of [tokenFile, join(dataDir, 'local-issuer.pem')]) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('stays the same across starts, until it should say something else', async () => {
    const first = await mint()
    expect(await mint({ scopes: ['b:read', 'a:read'] })).toEqual(first)
    for (const change of [{ scopes: ['a:read'] }, { audience: 'http://127.0.0.1:9000' }, { subject: 'other' }, { issuer: 'http://other' }]) {
      const changed = await mint(change)
      expect(changed.token).not.toBe(first.token)
      expect(changed.publicKeyPem).toBe(first.publicKeyPem)
    }
  })

  it('is made anew when it has nearly expired', async () => {
    const first = await mint()
    expect((await mint({ clock: { now: () => NOW + 800_000 } })).token).toBe(first.token)
    expect((await mint({ clock: { now: () => NOW + 950_000 } })).token).not.toBe(first.token)
  })

  it('survives files that were damaged', async () => {
    const first = await mint()
    writeFileSync(first.tokenFile, 'nonsense')
    expect((await mint()).publicKeyPem).toBe(first.publicKeyPem)
    writeFileSync(join(dataDir, 'local-issuer.pem'), 'nonsense')
    const second = await mint()
    expect(second.publicKeyPem).not.toBe(first.publicKeyPem)
    expect((await mint()).token).toBe(second.token)
  })
})
