/** The one way to send data out: JSON, to destinations that the operator listed. */

import type { Fields } from '../schema.ts'

export interface Delivered {
  readonly status: number
  /** The start of the answer, decoded as UTF-8. */
  readonly response: string
  /** Whether the answer was longer. */
  readonly truncated: boolean
}

export interface Webhooks {
  /**
   * Sends one POST, again after a failure that says nothing of its fate, under one idempotency key; no redirects.
   * @throws Refusal `notify.destination`, `content.too-large`, or as `Egress.get` does; a redirect is `egress.redirects`.
   */
  post(url: string, payload: Fields, signal: AbortSignal): Promise<Delivered>
}
