/** Values that may be there already. Waiting for such a one would cost a turn of the queue and a promise. */

export type Awaitable<T> = T | Promise<T>

/** The promise of another library or realm is one all the same: taken for a value, nobody would wait for it. */
export const awaited = <T>(value: Awaitable<T>): Awaitable<T> =>
  value instanceof Promise || typeof (value as { readonly then?: unknown } | null | undefined)?.then !== 'function' ? value : Promise.resolve(value)

/** Goes on with a value: at once where it is there, and later where it is promised. */
export const after = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)
