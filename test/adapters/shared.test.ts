/** Limits and messages: in this process, in its data directory, and over Redis where ARROWHEAD_TEST_REDIS names one. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/exits/disk/database.ts'
import type { Database } from '../../src/exits/disk/database.ts'
import { createKeptNonces } from '../../src/services/limits/kept-nonces.ts'
import { createMemoryNonces } from '../../src/services/limits/memory-nonces.ts'
import { createMemoryRates } from '../../src/services/limits/memory-rates.ts'
import { createSlots } from '../../src/services/limits/slots.ts'
import { createRedisBus, createRedisNonces, createRedisRates, createSharedSlots, openLink } from '../../src/services/redis/index.ts'
import type { RedisLink } from '../../src/services/redis/index.ts'
import { testClock } from '../../src/testing/index.ts'
import { openTcpGate } from './tcp-gate.ts'
import { busContract } from './bus.contract.ts'
import { limitsContract } from './limits.contract.ts'

const SERVER = process.env['ARROWHEAD_TEST_REDIS']
const SECRET = 's'.repeat(32)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

limitsContract('in this process', async () => {
  const clock = testClock()
  return {
    open: (maxPerCaller) => ({ rates: createMemoryRates(clock), nonces: createMemoryNonces(clock), slots: createSlots(100, maxPerCaller) }),
    pass: async (ms) => clock.pass(ms),
    nowMs: () => clock.now(),
    remove: async () => undefined,
  }
})

limitsContract('in the data directory', async () => {
  const [clock, folder] = [testClock(), mkdtempSync(join(tmpdir(), 'arrowhead-limits-'))]
  const kept: Database[] = []
  const open = (): Database => {
    const made = openDatabase(join(folder, 'state.sqlite'))
    kept.push(made)
    return made
  }
  return {
    open: (maxPerCaller) => ({ rates: createMemoryRates(clock), nonces: createKeptNonces(open, clock), slots: createSlots(100, maxPerCaller) }),
    pass: async (ms) => clock.pass(ms),
    nowMs: () => clock.now(),
    async remove() {
      for (const each of kept) each.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})

if (SERVER === undefined) {
  describe('limits and messages over Redis', () => {
    it.skip('are tested where ARROWHEAD_TEST_REDIS names one (scripts/test-services.sh start redis)', () => {})
  })
} else overRedis(SERVER)

function overRedis(url: string): void {
  const clock = { now: () => Date.now(), ticks: () => performance.now() }
  const world = async () => {
    const [links, closing]: [RedisLink[], (() => void)[]] = [[], []]
    const admin = new Redis(url)
    await admin.flushdb()
    const linkTo = (at = url, onChange = (_isUp: boolean): void => {}): RedisLink => {
      const link = openLink({ url: at, onChange })
      links.push(link)
      return link
    }
    return {
      admin, linkTo,
      nowMs: () => Date.now(),
      pass: pause,
      open(maxPerCaller: number, link = linkTo(), lifeMs = 15_000) {
        const slots = createSharedSlots({ link, own: createSlots(100, 100), maxPerCaller, lifeMs })
        closing.push(() => slots.close())
        return { rates: createRedisRates(link, createMemoryRates(clock)), nonces: createRedisNonces({ link, own: createMemoryNonces(clock), clock }), slots }
      },
      async remove() {
        for (const close of closing) close()
        for (const link of links) await link.close()
        admin.disconnect()
      },
    }
  }
  limitsContract('over Redis', world)
  busContract('over Redis', async () => {
    const made = await world()
    return { open: (secret = SECRET) => createRedisBus(made.linkTo(), () => secret), remove: made.remove }
  })

  describe('over Redis', () => {
    const within = (test: (made: Awaited<ReturnType<typeof world>>) => Promise<void>) => async () => {
      const made = await world()
      try {
        await test(made)
      } finally {
        await made.remove()
      }
    }

    it('two processes count together: limits are exact under 500 calls at once', within(async ({ open }) => {
      const both = [open(16), open(16)]
      const granted = await Promise.all(Array.from({ length: 500 }, (_, n) => both[n % 2]?.rates.take('alice', 100, 3_600_000)))
      expect(granted.filter(Boolean)).toHaveLength(100)
      const used = await Promise.all(Array.from({ length: 50 }, (_, n) => both[n % 2]?.nonces.use('ticket', Date.now() + 60_000)))
      expect(used.filter(Boolean)).toHaveLength(1)
      const held = await Promise.all(Array.from({ length: 60 }, (_, n) => both[n % 2]?.slots.take('alice')))
      expect(held.filter(Boolean)).toHaveLength(16)
    }))

    it('places of a process that is gone come back by themselves, and those of one that lives do not', within(async ({ open, linkTo }) => {
      const [gone, alive] = [open(2, linkTo(), 300), open(2, linkTo(), 300)]
      await gone.slots.take('alice')
      gone.slots.close()
      await alive.slots.take('alice')
      expect(await alive.slots.take('alice')).toBeUndefined()
      await pause(700)
      expect(await alive.slots.take('alice')).toBeDefined()
      expect(await alive.slots.take('alice')).toBeUndefined()
    }))

    it('nothing that a caller is called is in the name of a key', within(async ({ open, admin }) => {
      const { rates, nonces, slots } = open(1)
      await rates.take('s:alice@example.com\nTOOL', 5, 60_000)
      await nonces.use('alice@example.com', Date.now() + 1_000)
      await slots.take('s:alice@example.com')
      const keys = await admin.keys('*')
      expect(keys).toHaveLength(4)
      expect(keys.join()).not.toContain('alice')
      for (const key of keys.filter((one) => one !== 'arrowhead:since')) expect(await admin.pttl(key)).toBeGreaterThan(0)
    }))

    it('a Redis that forgot everything lets nothing be used twice, and puts back the places that are held', within(async ({ admin, linkTo, open }) => {
      const [one, other] = [linkTo(), linkTo()].map((link) => createRedisNonces({ link, own: createMemoryNonces(clock), clock, lifeMs: 10_000 }))
      const place = open(1, linkTo(), 300)
      await place.slots.take('alice')
      // As long after Redis began as clocks may be apart.
      await one?.used('x')
      await pause(2_100)
      const untilMs = Date.now() + 10_000
      expect(await one?.use('ticket', untilMs)).toBe(true)
      await admin.flushdb()
      expect(await other?.use('ticket', untilMs)).toBe(false)
      expect(await other?.use('another', untilMs)).toBe(false)
      expect(await other?.use('later', Date.now() + 13_000)).toBe(true)
      await pause(300)
      expect(await open(1).slots.take('alice')).toBeUndefined()
    }))

    it('a message without the key of the deployment is not heard', within(async ({ admin, linkTo }) => {
      const all: string[] = []
      createRedisBus(linkTo(), () => SECRET).subscribe('here', (message) => all.push(message))
      const [stranger, friend] = [createRedisBus(linkTo(), () => 't'.repeat(32)), createRedisBus(linkTo(), () => SECRET)]
      await vi.waitFor(async () => expect(await stranger.publish('here', 'forged')).toBe(1), 5_000)
      await admin.publish('arrowhead:bus:here', 'forged')
      await friend.publish('here', 'true')
      await vi.waitFor(() => expect(all).toEqual(['true']))
    }))

    it('while Redis is away limits hold for each process, tickets refuse, and all is well again without a restart', within(async ({ open, linkTo }) => {
      const gate = await openTcpGate(url)
      const changes: boolean[] = []
      const { rates, nonces, slots } = open(2, linkTo(gate.url, (isUp) => changes.push(isUp)))
      expect(await rates.take('alice', 3, 3_600_000)).toBe(true)
      await gate.cut()
      await vi.waitFor(() => expect(changes).toEqual([false]))
      const granted = [await rates.take('alice', 3, 3_600_000), await rates.take('alice', 3, 3_600_000), await rates.take('alice', 3, 3_600_000), await rates.take('alice', 3, 3_600_000)]
      expect(granted).toEqual([true, true, true, false])
      expect(await nonces.use('ticket', Date.now() + 60_000)).toBe(false)
      expect(await slots.take('alice')).toBeDefined()
      await gate.restore()
      await vi.waitFor(() => expect(changes).toEqual([false, true]), 10_000)
      expect(await rates.take('alice', 3, 3_600_000)).toBe(true)
      expect(await nonces.use('another', Date.now() + 60_000)).toBe(true)
      await gate.close()
    }))

    it('a Redis that does not answer is waited for briefly, and then left alone', within(async ({ open, linkTo }) => {
      const gate = await openTcpGate(url)
      const { rates } = open(2, linkTo(gate.url))
      await rates.take('alice', 1, 3_600_000)
      gate.stall()
      for (let n = 0; n < 50; n += 1) await rates.take('bob', 1_000, 3_600_000)
      // Three answers are missed, not fifty.
      expect(gate.swallowed().match(/evalsha/gi)).toHaveLength(3)
      await gate.restore()
      await vi.waitFor(async () => {
        await rates.take('bob', 1_000, 3_600_000)
        expect(await rates.take('alice', 1, 3_600_000)).toBe(false)
      }, 10_000)
      await gate.close()
    }))
  })
}
