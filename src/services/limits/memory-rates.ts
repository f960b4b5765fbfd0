/**
 * Token buckets in memory. Bounded: when the table is full, full buckets go first, because a bucket
 * that is full says the same as no bucket at all.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { RateStore } from '../../kernel/limits.ts'

interface Bucket {
  tokens: number
  ticks: number
  capacity: number
  periodMs: number
}

const MAX_BUCKETS = 100_000

/** @param maxBuckets buckets kept; beyond it, a new caller is refused until others have refilled. */
export function createMemoryRates(clock: Pick<Clock, 'ticks'>, maxBuckets = MAX_BUCKETS): RateStore {
  const buckets = new Map<string, Bucket>()

  const refill = (bucket: Bucket, now: number): void => {
    const gained = ((now - bucket.ticks) / bucket.periodMs) * bucket.capacity
    bucket.tokens = Math.min(bucket.capacity, bucket.tokens + gained)
    bucket.ticks = now
  }

  const dropFull = (now: number): void => {
    for (const [key, bucket] of buckets) {
      refill(bucket, now)
      if (bucket.tokens >= bucket.capacity) buckets.delete(key)
    }
  }

  let sweptTicks = Number.NEGATIVE_INFINITY
  return {
    take(key, capacity, periodMs) {
      const now = clock.ticks()
      const bucket = buckets.get(key)
      if (bucket) {
        refill(bucket, now)
        if (bucket.tokens < 1) return false
        bucket.tokens -= 1
        return true
      }
      if (capacity < 1) return false
      if (buckets.size >= maxBuckets) {
        // One sweep a second at most, so that a flood of names cannot buy a scan a call.
        if (now - sweptTicks > 1000) dropFull((sweptTicks = now))
        if (buckets.size >= maxBuckets) return false
      }
      buckets.set(key, { tokens: capacity - 1, ticks: now, capacity, periodMs })
      return true
    },
  }
}
