/**
 * Places of a caller that all processes share; the bound of a process is its own. A place is kept alive while its
 * process lives, so a process that was killed gives its places back by itself. While Redis is away each process
 * holds callers to the same number on its own.
 */

import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Lease } from '../../kernel/call.ts'
import { newId } from '../../exits/random.ts'
import type { RedisLink } from './link.ts'
import { keyOf } from './names.ts'

interface OwnSlots {
  take(callerKey: string): Lease | undefined
}

export interface SharedSlots {
  take(callerKey: string): Awaitable<Lease | undefined>
  close(): void
}

export interface SharedSlotsOptions {
  readonly link: RedisLink
  /** Places of this process. */
  readonly own: OwnSlots
  readonly maxPerCaller: number
  /** How long a place outlives its process. @default 15,000 */
  readonly lifeMs?: number
}

const LIFE_MS = 15_000

export function createSharedSlots({ link, own, maxPerCaller, lifeMs = LIFE_MS }: SharedSlotsOptions): SharedSlots {
  const held = new Map<string, Set<string>>()
  const keep = (): void => {
    for (const [key, names] of held) void link.ask((redis) => redis.arrowheadKeep(key, lifeMs, ...names))
  }
  let timer: NodeJS.Timeout | undefined
  const hold = (key: string, name: string): void => {
    const names = held.get(key) ?? new Set()
    held.set(key, names.add(name))
    timer ??= setInterval(keep, lifeMs / 3).unref()
  }
  const leave = (key: string, name: string): void => {
    const names = held.get(key)
    names?.delete(name)
    if (names?.size === 0) held.delete(key)
    void link.ask((redis) => redis.zrem(key, name))
  }
  return {
    take(callerKey) {
      const place = own.take(callerKey)
      return place && shared(callerKey, place)
    },
    close: () => clearInterval(timer),
  }

  async function shared(callerKey: string, place: Lease): Promise<Lease | undefined> {
    const [key, name] = [keyOf('place', callerKey), newId()]
    // A place that Redis gave and nobody heard of ends by itself.
    const given = await link.ask((redis) => redis.arrowheadPlace(key, maxPerCaller, lifeMs, name))
    if (given === undefined) return place
    if (given !== 1) {
      place.release()
      return undefined
    }
    hold(key, name)
    return {
      release() {
        leave(key, name)
        place.release()
      },
    }
  }
}
