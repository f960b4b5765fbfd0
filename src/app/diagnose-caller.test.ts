import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { loadSettings } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { answering } from './answering.fixture.ts'
import type { Answer, Answering } from './answering.fixture.ts'
import { diagnoseIdentity, diagnoseIssuer, diagnoseToken } from './diagnose-caller.ts'

const [AUDIENCE, NOW] = ['https://mcp.example', 1_800_000_000_000]
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'EdDSA', use: 'sig' }] })

let issuer: Answering
let answers: Record<string, Answer>
beforeEach(async () => {
  answers = { '/jwks': { body: keys } }
  issuer = await answering(({ url = '' }) => answers[url])
})
afterEach(() => issuer.close())

const settings = (more: object = {}): Settings => loadSettings({ file: JSON.stringify({
  transport: 'http', authEnabled: true, serverPublicUrl: AUDIENCE, oauthAudience: AUDIENCE, oauthIssuer: issuer.url, oauthJwksUri: `${issuer.url}/jwks`, internalEndpoints: [issuer.host], ...more,
}) }).values

describe('what doctor says of the issuer', () => {
  it('is how many of its keys can be used', async () => {
    expect(await diagnoseIdentity(settings())).toMatchObject({ state: 'ok', what: expect.stringContaining('1 usable keys') })
  })

  it.each<[string, Answer, string]>([
    ['no key set', { body: '<html>' }, 'is no key set'],
    ['an error', { status: 500 }, '(500)'],
    ['no key that may be used', { body: JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'k1' }] }) }, 'no key that may be used'],
  ])('is that it answers with %s', async (_, answer, what) => {
    answers['/jwks'] = answer
    expect(await diagnoseIdentity(settings())).toMatchObject({ state: 'fail', what: expect.stringContaining(what), next: expect.any(String) })
  })

  it('is that it cannot be reached, by the way that the server itself would go', async () => {
    expect(await diagnoseIdentity(settings({ internalEndpoints: [issuer.host], oauthJwksUri: 'https://127.0.0.1:1/jwks' }))).toMatchObject({ state: 'fail', what: expect.stringContaining('cannot be fetched'), next: expect.stringContaining('ARROWHEAD_INTERNAL_ENDPOINTS') })
  })

  it('is nothing where authentication is off', async () => {
    expect(await diagnoseIdentity(loadSettings({}).values)).toMatchObject({ state: 'ok' })
    expect(await diagnoseIssuer(loadSettings({}).values)).toMatchObject({ state: 'ok' })
  })

  it.each<[string, (url: string) => object, string, string]>([
    ['agrees', (url) => ({ issuer: url, jwks_uri: `${url}/jwks`, code_challenge_methods_supported: ['S256'] }), 'ok', 'agrees'],
    ['has another name', (url) => ({ issuer: `${url}/`, jwks_uri: `${url}/jwks` }), 'fail', 'calls itself'],
    ['names other keys', (url) => ({ issuer: url, jwks_uri: `${url}/keys` }), 'warn', 'names other keys'],
    ['lacks PKCE', (url) => ({ issuer: url, jwks_uri: `${url}/jwks`, code_challenge_methods_supported: ['plain'] }), 'warn', 'PKCE'],
  ])('is that its metadata %s', async (_, metadata, state, what) => {
    answers['/.well-known/openid-configuration'] = { body: JSON.stringify(metadata(issuer.url)) }
    expect(await diagnoseIssuer(settings())).toMatchObject({ state, what: expect.stringContaining(what) })
  })

  it('is that it has no metadata', async () => {
    expect(await diagnoseIssuer(settings())).toMatchObject({ state: 'warn', what: expect.stringContaining('no metadata') })
  })
})

describe('what doctor says of a token', () => {
  const clock = { now: () => NOW, ticks: () => 0 }
  const sign = (claims: object = {}, header: object = {}): Promise<string> =>
    new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'ann', scope: 'docs:read tools:read', exp: NOW / 1_000 + 60, ...claims }).setProtectedHeader({ alg: 'EdDSA', kid: 'k1', typ: 'at+jwt', ...header }).sign(privateKey)

  it('is whose it is and what it may, where it is good', async () => {
    expect(await diagnoseToken(settings(), `${await sign()}\n`, clock)).toMatchObject({ state: 'ok', what: expect.stringMatching(/"ann".*"docs:read tools:read"/) })
  })

  it('is that it sees nothing, where it has no scope', async () => {
    expect(await diagnoseToken(settings(), await sign({ scope: undefined }), clock)).toMatchObject({ state: 'warn', next: expect.stringContaining('ARROWHEAD_SCOPE_EXPANSIONS') })
  })

  it.each<[string, object, object, RegExp]>([
    ['aud', { aud: 'https://other.example' }, {}, /audience \(`aud` is "https:\/\/other\.example"/],
    ['iss', { iss: 'https://other.example' }, {}, /issuer \(`iss` is/],
    ['exp', { exp: NOW / 1_000 - 60 }, {}, /expired \(`exp` is 1799999940/],
    ['exp, which is missing', { exp: undefined }, {}, /claims \(`exp`\)/],
    ['nbf', { nbf: NOW / 1_000 + 600 }, {}, /not-yet \(`nbf` is/],
    ['sub', { sub: 'a\nb' }, {}, /subject \(`sub` is "a\\nb"/],
    ['kid', {}, { kid: 'k2' }, /key \(`kid` is "k2"/],
    ['typ', {}, { typ: 'id+jwt' }, /type \(`typ` is "id\+jwt"/],
  ])('names the claim %s', async (_, claims, header, what) => {
    expect(await diagnoseToken(settings(), await sign(claims, header), clock)).toMatchObject({ state: 'fail', what: expect.stringMatching(what), next: expect.any(String) })
  })

  it('is that it is no token, or that its signature is not', async () => {
    const token = await sign()
    expect(await diagnoseToken(settings(), 'opaque', clock)).toMatchObject({ state: 'fail', what: expect.stringContaining('malformed') })
    expect(await diagnoseToken(settings(), token.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`), clock)).toMatchObject({ state: 'fail', what: expect.stringContaining('signature') })
  })

  it('shows nothing of it that acts on a terminal', async () => {
    const { what } = await diagnoseToken(settings(), await sign({ aud: '\u001b[31m\u202e' }), clock)
    expect(what).not.toMatch(/[^\x20-\x7e]/)
  })

  it('is nothing without one, and that nobody looks where authentication is off', async () => {
    expect(await diagnoseToken(settings(), undefined)).toMatchObject({ state: 'ok', next: expect.stringContaining('--token-file') })
    expect(await diagnoseToken(loadSettings({}).values, 'token')).toMatchObject({ state: 'warn' })
  })
})
