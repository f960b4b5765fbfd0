/** One public key from the settings, which verifies every token whatever key id it names. */

import { createPublicKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import type { JWK, createLocalJWKSet } from 'jose'
import { isUsableKey } from './key-strength.ts'
import type { Keys } from './keys.ts'

/** @throws TypeError for text that is no public RSA, EC or Ed25519 key, or a weak one. */
export function createFixedKey(text: string, readSet: typeof createLocalJWKSet): Keys {
  const set = readSet({ keys: [publicJwk(text)] })
  return {
    generation: 0,
    ready: () => true,
    resolve: ({ alg }) => set({ alg }),
  }
}

function publicJwk(text: string): JWK {
  // A private key would be accepted in silence, because a public one follows from it.
  const jwk = /PRIVATE|"d"\s*:/.test(text) ? undefined : exported(text)
  if (!isUsableKey(jwk)) throw new TypeError('the public key is not a PEM or JWK public key that can be used')
  return jwk
}

function exported(text: string): unknown {
  try {
    const isJwk = text.trimStart().startsWith('{')
    const key = isJwk ? createPublicKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' }) : createPublicKey(text)
    return key.export({ format: 'jwk' })
  } catch {
    return undefined
  }
}
