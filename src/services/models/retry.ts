/** When a provider that is busy is asked again. */

const BUSY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 520, 522, 524, 529])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 20_000

/** Attempts of one completion, the first included. */
export const MAX_ATTEMPTS = 4

export const isBusy = (status: number): boolean => BUSY.has(status)

/**
 * Milliseconds until the next attempt: what Retry-After says (RFC 9110 §10.2.3), in seconds or as a date, or else
 * twice as long each time, between half and the whole of it.
 * @param attempt from 1. @param now milliseconds since 1970. @param jitter from 0 to 1.
 */
export function waitMs(retryAfter: string | undefined, attempt: number, { now, jitter }: { readonly now: number; readonly jitter: number }): number {
  const told = retryAfter === undefined ? Number.NaN : toldMs(retryAfter.trim(), now)
  if (Number.isFinite(told)) return Math.max(0, told)
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
  return Math.ceil(longest / 2 + (longest / 2) * jitter)
}

/** `Date.parse` reads nearly anything; what is sent begins with a day (RFC 9110 §5.6.7). */
const DATE = /^[A-Z][a-z]{2,8}[ ,]/

function toldMs(text: string, now: number): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  return DATE.test(text) ? Date.parse(text) - now : Number.NaN
}
