/**
 * Token buckets that every process shares. While Redis is away each process has buckets of its own: a caller then
 * gets at most its rate from every process, and nobody is turned away because of an outage.
 */

import type { RateStore } from '../../kernel/limits.ts'
import type { RedisLink } from './link.ts'
import { keyOf } from './names.ts'

/** @param own buckets of this process, for the time of an outage. */
export const createRedisRates = (link: RedisLink, own: RateStore): RateStore => ({
  async take(key, capacity, periodMs) {
    const took = await link.ask((redis) => redis.arrowheadToken(keyOf('rate', key), capacity, periodMs))
    return took === undefined ? own.take(key, capacity, periodMs) : took === 1
  },
})
