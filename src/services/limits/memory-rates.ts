/**
 * Token buckets in memory. Bounded: when the table is full, full buckets go first, because a bucket
 * that is full says the same as no bucket at all.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { RateStore } from '../../kernel/limits.ts'

/** What calls took and time has not given back, in milliseconds times the capacity: whole numbers, so that rounding keeps nobody waiting. */
interface Bucket {
  owed: number
  ticks: number
  readonly capacity: number
  readonly periodMs: number
}

const MAX_BUCKETS = 100_000

/** @param maxBuckets buckets kept; beyond it, a new caller is refused until others have refilled. */
export function createMemoryRates(clock: Pick<Clock, 'ticks'>, maxBuckets = MAX_BUCKETS): RateStore {
  const buckets = new Map<string, Bucket>()

  const dropFull = (now: number): void => {
    for (const [key, bucket] of buckets) if (owedBy(bucket, now) === 0) buckets.delete(key)
  }

  let sweptTicks = Number.NEGATIVE_INFINITY
  return {
    take(key, capacity, periodMs) {
      const now = clock.ticks()
      const bucket = buckets.get(key)
      if (bucket) {
        const owed = owedBy(bucket, now)
        if (owed > (bucket.capacity - 1) * bucket.periodMs) return false
        bucket.owed = owed + bucket.periodMs
        bucket.ticks = now
        return true
      }
      if (capacity < 1) return false
      if (buckets.size >= maxBuckets) {
        // One sweep a second at most, so that a flood of names cannot buy a scan a call.
        if (now - sweptTicks > 1000) dropFull((sweptTicks = now))
        if (buckets.size >= maxBuckets) return false
      }
      buckets.set(key, { owed: periodMs, ticks: now, capacity, periodMs })
      return true
    },
  }
}

const owedBy = ({ owed, ticks, capacity }: Bucket, now: number): number => Math.max(0, owed - Math.max(0, now - ticks) * capacity)
