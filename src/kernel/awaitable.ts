/** Values that may be there already. Waiting for such a one would cost a turn of the queue and a promise. */

export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: at once where it is there, and later where it is promised. */
export const after = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)
