/**
 * Tickets that travel through a client and tell it nothing: AES-256-GCM over the state, with what it is
 * bound to as associated data (NIST SP 800-38D). Each opens once, for a limited time.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Nonces, Tickets } from '../../kernel/limits.ts'

export interface SealedTicketOptions {
  /** Secret of at least 32 characters, the same on every replica; undefined makes one that dies with the process. */
  readonly key: string | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly nonces: Nonces
  /** How long a ticket lives, in milliseconds. */
  readonly lifeMs: number
}

const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32]
const MAX_CHARS = 16_384
const VERSION = 'v1.'

export function createSealedTickets({ key = randomBytes(KEY_BYTES).toString('hex'), clock, nonces, lifeMs }: SealedTicketOptions): Tickets {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'arrowhead ticket', KEY_BYTES))

  const open = (bytes: Buffer, binding: string): unknown => {
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString())
  }

  return {
    seal(state, binding) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(binding))
      const body = Buffer.concat([cipher.update(JSON.stringify([clock.now() + lifeMs, state ?? null])), cipher.final()])
      return VERSION + Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')
    },

    redeem(ticket, binding) {
      if (!ticket.startsWith(VERSION) || ticket.length > MAX_CHARS) return undefined
      const bytes = Buffer.from(ticket.slice(VERSION.length), 'base64url')
      const opened = attempt(() => open(bytes, binding))
      if (!Array.isArray(opened)) return undefined
      const [untilMs, state] = opened as [number, unknown]
      if (clock.now() >= untilMs) return undefined
      // The initialisation vector is unique to a ticket, so it is its name: of its bytes, which have one spelling.
      const used = nonces.use(bytes.toString('hex', 0, IV_BYTES), untilMs)
      const given = (fresh: boolean) => (fresh ? { state } : undefined)
      return used instanceof Promise ? used.then(given) : given(used)
    },
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
