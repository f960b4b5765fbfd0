/** Ports of the limits: who may go on, and for how long. */

import type { Capabilities } from './question.ts'

type Awaitable<T> = T | Promise<T>

/** Token buckets. An adapter may be remote; the memory one answers at once. */
export interface RateStore {
  /**
   * Takes one token from the bucket of `key`, which holds `capacity` and refills fully in `periodMs`.
   * @returns whether there was one. A store that cannot answer says no: caps fail closed.
   */
  take(key: string, capacity: number, periodMs: number): Awaitable<boolean>
}

/** Things that may be used once. */
export interface Nonces {
  /** Uses `id` up, and remembers it until `untilMs`. @returns whether it was still unused; no answer is a no. */
  use(id: string, untilMs: number): Awaitable<boolean>
  /** Whether `id` was used up. */
  used(id: string): Awaitable<boolean>
}

/** What a call gives its caller to bring back with the answers to its questions. */
export interface Tickets {
  /** Seals `state` for exactly this `binding`: who calls what with which arguments. */
  seal(state: unknown, binding: string): string
  /** The state, once, and only under the same binding within the ticket's life. */
  redeem(ticket: string, binding: string): Awaitable<{ readonly state: unknown } | undefined>
}

/** Session ids of the handshake era: each says, sealed, what its client can be asked. They belong to callers, by their buckets. */
export interface Sessions {
  open(bucket: string, capabilities: Capabilities): string
  /** Undefined for an id that is not this caller's, is over, or was never given. */
  find(id: string, bucket: string): Awaitable<Capabilities | undefined>
  end(id: string, bucket: string): Awaitable<unknown>
}
