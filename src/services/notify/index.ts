/** Webhooks as the `Webhooks` port: judged against the operator's list, signed, and sent by the network exit. */

import { newId } from '../../exits/random.ts'
import type { WebhookClientOptions } from '../../exits/net/index.ts'
import { createWebhookClient } from '../../exits/net/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Webhooks } from '../../kernel/ports/notify.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { signatureHeaders } from './signature.ts'

export interface WebhooksOptions extends WebhookClientOptions {
  /** Judges a URL; the refusal where it may not be sent to. */
  readonly destination: (url: string) => URL | Refusal
  /** Of the payload's JSON. */
  readonly maxPayloadBytes: number
  readonly clock: Pick<Clock, 'now'>
  /** Signs deliveries; undefined sends them unsigned. Asked for each. */
  readonly secret: () => Uint8Array | undefined
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { destination, maxPayloadBytes, clock, secret } = options
  const client = createWebhookClient(options)
  return {
    async post(raw, payload, signal) {
      const url = destination(raw)
      if (url instanceof Refusal) throw url
      const body = JSON.stringify(payload)
      if (!(Buffer.byteLength(body) <= maxPayloadBytes)) throw refusal('content.too-large', `at most ${maxPayloadBytes} bytes of payload`)
      const id = newId()
      const headers = { 'idempotency-key': `"${id}"`, ...signatureHeaders({ id, body, nowMs: clock.now(), secret: secret() }) }
      const { status, body: answer, truncated } = await client.post({ url, body, headers, signal })
      const text = new TextDecoder().decode(answer)
      // A cut may fall into a character, and half of one is none.
      return { status, response: truncated ? text.replace(/\uFFFD$/u, '') : text, truncated }
    },
  }
}

export { secretOf } from './signature.ts'
