/** Callers with access tokens of an issuer of the bench's own, signed with Ed25519. */

import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { catalog } from '../src/tools/catalog.ts'

export const ISSUER = 'https://issuer.bench.invalid'
export const AUDIENCE = 'https://server.bench.invalid/mcp'

const LIFE = '1h'
/** Whoever may call everything sees the whole catalogue. */
const SCOPES = [...new Set(catalog.flatMap(({ tools }) => tools.map(({ scope }) => scope)))].join(' ')

export interface Callers {
  readonly publicKeyPem: string
  /** One token for each caller. */
  readonly tokens: readonly string[]
}

export async function createCallers(count: number): Promise<Callers> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const tokens = Array.from({ length: count }, (_, index) =>
    new SignJWT({ scope: SCOPES }).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
      .setIssuer(ISSUER).setAudience(AUDIENCE).setSubject(`caller-${index}`).setIssuedAt().setExpirationTime(LIFE).sign(privateKey))
  return { publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), tokens: await Promise.all(tokens) }
}
