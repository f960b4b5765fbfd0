/** What every adapter of the limits does: token buckets, things that may be used once, places to run in. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GuardDeps } from '../../src/guard/deps.ts'
import type { Nonces, RateStore } from '../../src/kernel/limits.ts'

export interface Limits {
  readonly rates: RateStore
  readonly nonces: Nonces
  readonly slots: GuardDeps['slots']
}

export interface LimitsWorld {
  /** Another process over the same limits; undefined where there is none. */
  open(maxPerCaller: number): Limits
  /** Lets so much time pass for whoever counts. */
  pass(ms: number): Promise<void>
  readonly nowMs: () => number
  remove(): Promise<void>
}

export function limitsContract(name: string, makeWorld: () => Promise<LimitsWorld>): void {
  describe(`limits ${name}`, () => {
    let world: LimitsWorld
    let one: Limits
    beforeEach(async () => {
      world = await makeWorld()
      one = world.open(3)
    })
    afterEach(() => world.remove())
    const take = (key: string, capacity: number, periodMs: number) => one.rates.take(key, capacity, periodMs)

    it('grant the capacity of a bucket at once, however many ask, and no more', async () => {
      const granted = await Promise.all(Array.from({ length: 500 }, () => take('alice', 100, 3_600_000)))
      expect(granted.filter(Boolean)).toHaveLength(100)
    })

    it('keep callers apart, whatever they are called', async () => {
      for (const caller of ['alice', 'alice ', 'ALICE', '', '\0', '*', 'x'.repeat(5_000)]) expect([caller, await take(caller, 1, 3_600_000), await take(caller, 1, 3_600_000)]).toEqual([caller, true, false])
    })

    it('refill a bucket with time, and never beyond its capacity', async () => {
      for (let n = 0; n < 5; n += 1) await take('bob', 5, 2_000)
      expect(await take('bob', 5, 2_000)).toBe(false)
      await world.pass(420)
      expect(await take('bob', 5, 2_000)).toBe(true)
      await world.pass(3_100)
      const after = await Promise.all(Array.from({ length: 9 }, () => take('bob', 5, 60_000)))
      expect(after.filter(Boolean)).toHaveLength(5)
    })

    it('give nothing from a bucket that holds less than one', async () => {
      expect(await take('carol', 0, 1_000)).toBe(false)
    })

    it('let a thing be used once, by one of many', async () => {
      const used = await Promise.all(Array.from({ length: 50 }, () => one.nonces.use('ticket', world.nowMs() + 60_000)))
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await one.nonces.used('ticket')).toBe(true)
      expect(await one.nonces.used('another')).toBe(false)
      expect(await one.nonces.use('another', world.nowMs() + 60_000)).toBe(true)
    })

    it('give a caller as many places as there are, and take them back', async () => {
      const held = await Promise.all(Array.from({ length: 5 }, () => one.slots.take('alice')))
      expect(held.filter((lease) => lease !== undefined)).toHaveLength(3)
      expect(await one.slots.take('bob')).toBeDefined()
      held.find((lease) => lease !== undefined)?.release()
      await world.pass(50)
      expect(await one.slots.take('alice')).toBeDefined()
      expect(await one.slots.take('alice')).toBeUndefined()
    })
  })
}
