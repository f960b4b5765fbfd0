/** Builds the tokens and key sets that the access-token cases describe. Keys are made anew for each run. */

import { constants, createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'

export interface TokenSpec {
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
  readonly rawHeader?: string
  readonly rawPayload?: string
  readonly sign?: string
  readonly mutate?: string
}

export interface Expectations {
  readonly issuer: string
  readonly audience: string
  readonly scope: string
}

const made = new Map<string, KeyObject>()

/** The private key of a name that the cases use. */
function keyOf(name: string): KeyObject {
  const known = made.get(name)
  if (known) return known
  const { privateKey } = /^(?:es|attacker-ec)/.test(name)
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: Number(/^rs(\d{3,})$/.exec(name)?.[1] ?? 2048) })
  made.set(name, privateKey)
  return privateKey
}

export const publicJwk = (name: string): JsonWebKey => ({
  ...createPublicKey(keyOf(name)).export({ format: 'jwk' }),
  kid: name,
  alg: name.startsWith('es') ? 'ES256' : 'RS256',
})

/** A member of a key set: a name, a key as it stands, or a change to a named key. */
export function keyInSet(entry: string | Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof entry === 'string') return { ...publicJwk(entry) }
  const change = entry['use']
  return typeof change !== 'string' || 'kty' in entry ? entry : changedKey(change)
}

/** A key described in words, as `rs1 without alg`, `es1 with use=enc` or `1024-bit RSA key with kid rs1`. */
function changedKey(change: string): Readonly<Record<string, unknown>> {
  const [, bits, kid] = /^(\d+)-bit RSA key with kid (\w+)$/.exec(change) ?? []
  if (bits !== undefined && kid !== undefined) return { ...publicJwk(`rs${bits}`), kid }
  const [, name = '', how, member = '', value] = /^(\w+) (with|without|plus) ([\w ]+)(?:=(.+))?$/.exec(change) ?? []
  const key = { ...publicJwk(name) }
  if (how === 'plus' && member === 'unknown members') return { ...key, 'x-note': 'hello', nested: { a: 1 } }
  if (how === 'with' && value !== undefined) return { ...key, [member]: listOf(value) ?? value }
  if (how !== 'without') throw new Error(`a key set of "${change}" is not known`)
  const { [member as 'alg']: _without, ...rest } = key
  return rest
}

/** `[sign, verify]` as the list that it is. */
const listOf = (value: string): readonly string[] | undefined =>
  /^\[.*\]$/.test(value) ? value.slice(1, -1).split(',').map((item) => item.trim()).filter(Boolean) : undefined

const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url')

/** `{"now": n}` is n seconds from now, `{"del": true}` takes a member away. */
function merge(defaults: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(changes)) {
    const { now, del } = (typeof value === 'object' && value !== null ? value : {}) as { now?: number; del?: boolean }
    if (del) delete all[name]
    else all[name] = now === undefined ? value : seconds() + now
  }
  return all
}

const seconds = (): number => Math.floor(Date.now() / 1000)

/** The compact token of a recipe. */
export function buildToken(spec: TokenSpec, { issuer, audience, scope }: Expectations): string {
  const header = merge({ alg: 'RS256', typ: 'at+jwt', kid: 'rs1' }, spec.header)
  const claims = merge({ iss: issuer, aud: audience, sub: 'user-1', scope, iat: seconds(), exp: seconds() + 600 }, spec.claims)
  const input = `${base64url(spec.rawHeader ?? JSON.stringify(header))}.${base64url(spec.rawPayload ?? JSON.stringify(claims))}`
  const signature = signatureOf(input, spec.sign ?? 'rs1', String(header['alg']))
  return mutated(`${input}.${base64url(signature)}`, spec.mutate)
}

function signatureOf(input: string, signer: string, alg: string): Buffer {
  const hash = `sha${/(\d{3})$/.exec(alg)?.[1] ?? '256'}`
  const data = Buffer.from(input)
  if (signer === 'none') return Buffer.alloc(0)
  if (signer.startsWith('hmac:')) return createHmac(hash, secretOf(signer.slice('hmac:'.length))).update(data).digest()
  const key = keyOf(signer)
  if (key.asymmetricKeyType === 'ec') return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
  return sign(hash, data, { key, padding: constants.RSA_PKCS1_PADDING })
}

function secretOf(text: string): string | Buffer {
  const key = createPublicKey(keyOf('rs1'))
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  switch (text) {
    case 'rs1-pem':
      return pem
    case 'rs1-pem-trimmed':
      return pem.trimEnd()
    case 'rs1-jwk':
      return JSON.stringify(publicJwk('rs1'))
    case 'rs1-der':
      return key.export({ type: 'spki', format: 'der' })
    case 'n':
      return publicJwk('rs1').n ?? ''
    case 'empty':
      return ''
    default:
      return text
  }
}

function mutated(token: string, mutation: string | undefined): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  switch (mutation) {
    case undefined:
    case 'keep signature bytes':
      return token
    case 'append A to the signature':
      return `${token}A`
    case 'empty the signature, keep the dot':
      return `${header}.${payload}.`
    case 'remove the third part and its dot':
      return `${header}.${payload}`
    case 'replace the signature by 64 zero bytes':
      return `${header}.${payload}.${base64url(Buffer.alloc(64))}`
    case 'encode the signature as DER':
      return `${header}.${payload}.${base64url(derOf(Buffer.from(signature, 'base64url')))}`
    case 'JSON serialization instead of compact':
      return JSON.stringify({ protected: header, payload, signature })
    case 'swap header and payload':
      return `${payload}.${header}.${signature}`
    default:
      return mangled(token, mutation)
  }
}

/** Other damage to a token, by what its description speaks of. */
function mangled(token: string, mutation: string): string {
  const parts = token.split('.')
  const at = ['header', 'payload', 'signature'].findIndex((part) => mutation.includes(part))
  const part = parts[at] ?? ''
  if (/(?:change|flip|alter|replace) (?:one|a|the (?:first|last)) (?:character|byte|bit)/.test(mutation) && at >= 0) return parts.with(at, otherwise(part)).join('.')
  if (/(?:cut|remove|drop|truncate)/.test(mutation) && at === 2) return parts.with(at, part.slice(0, -2)).join('.')
  if (/fourth part|four parts/.test(mutation)) return `${token}.${parts[2]}`
  if (/padd|=/.test(mutation)) return parts.map((one) => one.padEnd(Math.ceil(one.length / 4) * 4, '=')).join('.')
  if (/space/.test(mutation)) return `${token.slice(0, 20)} ${token.slice(20)}`
  throw new Error(`a mutation "${mutation}" is not known`)
}

/** The text with another character in its middle. */
function otherwise(text: string): string {
  const middle = text.length >> 1
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`
}

/** An ECDSA signature as ASN.1 (RFC 3279 §2.2.3). */
function derOf(rawSignature: Buffer): Buffer {
  const half = rawSignature.length / 2
  const integers = [rawSignature.subarray(0, half), rawSignature.subarray(half)].map((bytes) => {
    const positive = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes
    return Buffer.concat([Buffer.from([0x02, positive.length]), positive])
  })
  const content = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}
