/**
 * Things that may be used once, by whichever process. While Redis is away nothing can be used: a ticket that could
 * be replayed elsewhere would be none. What this process itself saw used stays used, and what was given out before
 * Redis began to remember counts as used, so a Redis that comes back empty gives nobody a second turn.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces } from '../../kernel/limits.ts'
import type { RedisLink } from './link.ts'
import { SINCE, keyOf } from './names.ts'

/** Kept a little beyond its time, because two machines never agree on what time it is. */
const SPARE_MS = 60_000
/** How far the clocks of two replicas may be apart, in milliseconds. */
export const SKEW_MS = 2_000

export interface RedisNoncesOptions {
  readonly link: RedisLink
  /** What this process saw, also asked of while Redis is away. */
  readonly own: Nonces
  readonly clock: Pick<Clock, 'now'>
  /** Longest life of what is used, in milliseconds: what is good until then was given out so long before. @default no bound */
  readonly lifeMs?: number
}

export const createRedisNonces = ({ link, own, clock, lifeMs }: RedisNoncesOptions): Nonces => ({
  async use(id, untilMs) {
    if (!(await own.use(id, untilMs))) return false
    const nowMs = clock.now()
    const keptMs = Math.max(1, Math.ceil(untilMs - nowMs)) + SPARE_MS
    const fromMs = lifeMs === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(untilMs - lifeMs - SKEW_MS)
    return (await link.ask((redis) => redis.arrowheadUse(keyOf('nonce', id), SINCE, keptMs, nowMs, fromMs))) === 1
  },
  // Only ended sessions are looked up; one that was ended elsewhere gives nothing that its subject's token does not.
  async used(id) {
    if (await own.used(id)) return true
    return (await link.ask((redis) => redis.exists(keyOf('nonce', id)))) === 1
  },
})
