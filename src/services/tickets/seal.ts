/**
 * Seals values that travel through a client and tell it nothing: AES-256-GCM with what a value is bound to as
 * associated data (NIST SP 800-38D). Opened under another binding, or altered, there is nothing in it.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface Opened {
  readonly state: unknown
  readonly untilMs: number
  /** Unique to the sealed value, with one spelling. */
  readonly name: string
}

export interface Seal {
  /** @throws RangeError for more than some 12 kB, TypeError for what JSON cannot say. */
  close(state: unknown, binding: string, untilMs: number): string
  /** Undefined for whatever was not sealed by this key for this binding. Says nothing about the time. */
  open(sealed: string, binding: string): Opened | undefined
}

const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32]
const MAX_CHARS = 16_384

/** @param secret asked for once, by the first use. At least 32 characters. */
export function createSeal(secret: () => string): Seal {
  let key: Buffer | undefined
  const keyOf = (): Buffer => (key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'arrowhead seal', KEY_BYTES)))

  const unseal = (bytes: Buffer, binding: string): unknown => {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(), bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString())
  }

  return {
    close(state, binding, untilMs) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(), iv).setAAD(Buffer.from(binding))
      const body = Buffer.concat([cipher.update(JSON.stringify([untilMs, state ?? null])), cipher.final()])
      const sealed = Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')
      if (sealed.length > MAX_CHARS) throw new RangeError('too much to carry through a client')
      return sealed
    },

    open(sealed, binding) {
      if (sealed.length > MAX_CHARS) return undefined
      const bytes = Buffer.from(sealed, 'base64url')
      // One value has one spelling: decoding forgives what a comparison must not.
      if (bytes.toString('base64url') !== sealed) return undefined
      try {
        const [untilMs, state] = unseal(bytes, binding) as [number, unknown]
        // The initialisation vector, as bytes: the text around them could be spelled in several ways.
        return { state, untilMs, name: bytes.toString('hex', 0, IV_BYTES) }
      } catch {
        return undefined
      }
    },
  }
}
