/**
 * Things that may be used once, by whichever process. While Redis is away nothing can be used: a ticket that could
 * be replayed elsewhere would be none. What this process itself saw used stays used, whatever Redis forgot.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces } from '../../kernel/limits.ts'
import type { RedisLink } from './link.ts'
import { keyOf } from './names.ts'

/** Kept a little beyond its time, because two machines never agree on what time it is. */
const SPARE_MS = 60_000

/** @param own what this process saw, also asked of while Redis is away. */
export const createRedisNonces = (link: RedisLink, own: Nonces, clock: Pick<Clock, 'now'>): Nonces => ({
  async use(id, untilMs) {
    if (!(await own.use(id, untilMs))) return false
    const lifeMs = Math.max(1, Math.ceil(untilMs - clock.now())) + SPARE_MS
    return (await link.ask((redis) => redis.set(keyOf('nonce', id), '1', 'PX', lifeMs, 'NX'))) === 'OK'
  },
  // Only ended sessions are looked up; one that was ended elsewhere gives nothing that its subject's token does not.
  async used(id) {
    if (await own.used(id)) return true
    return (await link.ask((redis) => redis.exists(keyOf('nonce', id)))) === 1
  },
})
