/** Ports of the limits: who may go on, and for how long. */

type Awaitable<T> = T | Promise<T>

/** Token buckets. An adapter may be remote; the memory one answers at once. */
export interface RateStore {
  /**
   * Takes one token from the bucket of `key`, which holds `capacity` and refills fully in `periodMs`.
   * @returns whether there was one. A store that cannot answer says no: caps fail closed.
   */
  take(key: string, capacity: number, periodMs: number): Awaitable<boolean>
}
