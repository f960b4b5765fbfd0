/**
 * What the processes of one deployment count and tell each other together: over Redis where one is named, otherwise
 * each for itself. Redis is asked for nothing before the first call.
 */

import type { Settings } from '../config/index.ts'
import type { GuardDeps } from '../guard/deps.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Nonces, RateStore } from '../kernel/limits.ts'
import type { Bus } from '../kernel/ports/bus.ts'
import { createMemoryRates } from '../services/limits/memory-rates.ts'
import { createSlots } from '../services/limits/slots.ts'
import { createRedisBus, createRedisNonces, createRedisRates, createSharedSlots, openLink } from '../services/redis/index.ts'

export interface Shared {
  readonly rates: RateStore
  readonly nonces: Nonces
  readonly slots: GuardDeps['slots']
  /** Undefined where processes cannot talk. */
  readonly bus: Bus | undefined
  degraded(): Awaitable<readonly string[]>
  close(): Promise<void>
}

export interface SharedParts {
  readonly clock: Clock
  /** What this process, or its data directory, knows as used up. */
  readonly nonces: Nonces
  /** Hears a sentence for the operator. */
  readonly warn: (problem: string) => void
  /** The key that seals what is passed between processes. */
  readonly secret: () => string
}

const AWAY = 'redis is away: each process counts limits for itself, and answers to open questions are refused'
const BACK = 'redis is back: limits are counted together again'

export function openShared(settings: Settings, { clock, nonces, warn, secret }: SharedParts): Shared {
  const rates = createMemoryRates(clock)
  const own = createSlots(settings.maxConcurrentCalls, settings.maxConcurrentCallsPerCaller)
  if (settings.redisUrl === undefined) return { rates, nonces, slots: own, bus: undefined, degraded: () => [], close: async () => {} }
  const link = openLink({ url: settings.redisUrl, onChange: (isUp) => warn(isUp ? BACK : AWAY) })
  const slots = createSharedSlots({ link, own, maxPerCaller: settings.maxConcurrentCallsPerCaller })
  return {
    rates: createRedisRates(link, rates),
    nonces: createRedisNonces({ link, own: nonces, clock, lifeMs: settings.askTimeoutSeconds * 1000 }),
    slots,
    bus: createRedisBus(link, secret),
    async degraded() {
      return (await link.ask((redis) => redis.ping())) === 'PONG' ? [] : ['redis']
    },
    async close() {
      slots.close()
      await link.close()
    },
  }
}
