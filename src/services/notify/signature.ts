/** Tells a receiver which delivery this is and, where there is a secret, who sent it (Standard Webhooks 1.0.0). */

import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
const MIN_BYTES = 24

export interface Signing {
  /** The same for every attempt of one delivery. */
  readonly id: string
  readonly body: string
  readonly nowMs: number
  readonly secret: Uint8Array | undefined
}

/** `webhook-id` and `webhook-timestamp`; with a secret, `webhook-signature` too: HMAC-SHA256 over id, time and body. */
export function signatureHeaders({ id, body, nowMs, secret }: Signing): Readonly<Record<string, string>> {
  const timestamp = `${Math.floor(nowMs / 1000)}`
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return named
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...named, 'webhook-signature': `v1,${signature}` }
}

/** A secret as it stands in a file: `whsec_` and base64, or any text. @throws TypeError for fewer than 24 bytes. */
export function secretOf(text: string): Uint8Array {
  const trimmed = text.trim()
  const bytes = trimmed.startsWith(PREFIX) ? Buffer.from(trimmed.slice(PREFIX.length), 'base64') : Buffer.from(trimmed)
  if (bytes.length < MIN_BYTES) throw new TypeError(`a webhook secret has at least ${MIN_BYTES} bytes`)
  return bytes
}
