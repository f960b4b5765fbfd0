/** One public key from the settings, which verifies every token whatever key id it names. */

import { createPublicKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import type { createLocalJWKSet } from 'jose'
import type { Keys } from './keys.ts'

const MIN_RSA_BITS = 2048

/** @throws TypeError for text that is no public RSA (2048 bits at least), EC or Ed25519 key. */
export function createFixedKey(text: string, readSet: typeof createLocalJWKSet): Keys {
  const set = readSet({ keys: [publicJwk(text)] })
  return {
    generation: 0,
    ready: async () => true,
    resolve: ({ alg }) => set({ alg }),
  }
}

function publicJwk(text: string): JsonWebKey & { kty: string } {
  const wrong = (cause?: unknown): TypeError => new TypeError('the public key is not a PEM or JWK public key that can be used', { cause })
  // A private key would be accepted in silence, because a public one follows from it.
  if (/PRIVATE|"d"\s*:/.test(text)) throw wrong()
  try {
    const key = text.trimStart().startsWith('{')
      ? createPublicKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' })
      : createPublicKey(text)
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) throw wrong()
    const { kty, ...rest } = key.export({ format: 'jwk' })
    if (kty === undefined || !['RSA', 'EC', 'OKP'].includes(kty)) throw wrong()
    return { ...rest, kty }
  } catch (error) {
    throw error instanceof TypeError ? error : wrong(error)
  }
}
