/** A clock that is set forward and back under what counts time: nothing happens twice, nothing stays undone, nothing is good for ever. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/exits/disk/database.ts'
import { principal } from '../../src/kernel/caller.ts'
import { ownerOf } from '../../src/kernel/owner.ts'
import type { Store } from '../../src/kernel/ports/store.ts'
import { createKeptNonces } from '../../src/services/limits/kept-nonces.ts'
import { createMemoryRates } from '../../src/services/limits/memory-rates.ts'
import { createMemory, createServerMemory } from '../../src/services/memory/index.ts'
import { createTasks } from '../../src/services/tasks/index.ts'
import type { OpenTasks } from '../../src/services/tasks/index.ts'
import { createSeal, createSealedTickets } from '../../src/services/tickets/index.ts'
import { onServer } from '../adapters/state-server.ts'

const [SECOND, HOUR] = [1_000, 3_600_000]
const START = Date.UTC(2030, 0, 1)
/** Steps that an operator, a time server or a daylight rule that was misread makes, one after the other. */
const STEPS = [30 * SECOND, -HOUR, 2 * HOUR, -90 * SECOND, -2 * HOUR, 3 * HOUR]
const caller = principal('alice', new Set())
const LIMITS = { maxDelaySeconds: 86_400, minRepeatSeconds: 1, maxTimers: 10_000, maxPayloadBytes: 1_000 }

const steppedClock = () => {
  let [nowMs, ticks] = [START, 0]
  return { now: () => nowMs, ticks: () => ticks, step: (ms: number) => void (nowMs += ms), pass: (ms: number) => void ([nowMs, ticks] = [nowMs + ms, ticks + ms]) }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-clock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function timers(place: () => string | Store): void {
  it('each timer fires once, and a repeated one does not make up for what the clock passed over', async () => {
    const clocks = [steppedClock(), steppedClock()] as const
    const opened: OpenTasks[] = clocks.map((clock) => createTasks({ at: place(), limits: LIMITS, place: 'here', clock, onFault: (error) => expect(error).toBeUndefined() }))
    const [one, other] = opened
    if (one === undefined || other === undefined) throw new Error('nothing was opened')
    const ids: string[] = []
    for (let n = 0; n < 40; n += 1) ids.push((await (n % 2 === 0 ? one : other).tasks.schedule(caller, { delaySeconds: n * 3, repeatSeconds: 0, payload: { n } })).taskId)
    const repeated = await one.tasks.schedule(caller, { delaySeconds: 10, repeatSeconds: 10, payload: {} })
    const fired = new Map<string, string>()
    for (const step of STEPS) {
      clocks[0].step(step)
      // The other process hears of it later.
      for (const id of ids) {
        const state = await (fired.size % 2 === 0 ? one : other).tasks.get(ownerOf(caller), id)
        const at = String((state?.result as { fired_at?: string } | undefined)?.fired_at)
        if (state?.status === 'completed') expect([id, fired.get(id) ?? at]).toEqual([id, at])
        if (state?.status === 'completed') fired.set(id, at)
      }
      clocks[1].step(step)
    }
    expect(fired.size).toBe(ids.length)
    const occurrences = (await one.tasks.list(ownerOf(caller))).filter(({ taskId }) => !ids.includes(taskId))
    expect(occurrences.some(({ taskId }) => taskId === repeated.taskId)).toBe(true)
    expect(occurrences.filter(({ status }) => status === 'scheduled')).toHaveLength(1)
    expect(occurrences.length).toBeLessThanOrEqual(1 + STEPS.length)
    for (const each of opened) await each.close()
  })
}

const MEMORY_LIMITS = { maxContentBytes: 10_000, maxMetadataBytes: 1_000, maxEntriesPerNamespace: 100, maxNamespaces: 5, quotaBytes: 1e6, maxK: 5, maxKeys: 2, maxValueBytes: 1_000, maxTtlSeconds: 7_200 }

function values(open: (clock: ReturnType<typeof steppedClock>) => ReturnType<typeof createMemory>): void {
  it('a value ends when its time is over by the clock of that moment, and makes room', async () => {
    const clock = steppedClock()
    const { keyValues, close } = open(clock)
    await keyValues.set('s:alice', { key: 'kept', value: 'v', ttlSeconds: 0 })
    await keyValues.set('s:alice', { key: 'short', value: 'v', ttlSeconds: 60 })
    clock.step(-HOUR)
    expect(await keyValues.get('s:alice', 'short')).toBeDefined()
    clock.step(2 * HOUR)
    expect(await keyValues.get('s:alice', 'short')).toBeUndefined()
    await keyValues.set('s:alice', { key: 'next', value: 'v', ttlSeconds: 60 })
    clock.step(-2 * HOUR)
    expect([await keyValues.get('s:alice', 'kept'), await keyValues.get('s:alice', 'next')]).toMatchObject([{ value: 'v' }, { value: 'v' }])
    await close()
  })
}

describe('a clock that is set, with everything in the data directory', () => {
  timers(() => join(folder, 'tasks.sqlite'))
  values((clock) => createMemory(join(folder, 'memory'), MEMORY_LIMITS, clock))

  it('a ticket is good once, whichever way the clock goes afterwards', async () => {
    const clock = steppedClock()
    const nonces = createKeptNonces(() => openDatabase(join(folder, 'state.sqlite')), clock)
    const tickets = createSealedTickets({ seal: createSeal(() => 'k'.repeat(40)), clock, nonces, lifeMs: 300 * SECOND })
    const [used, unused] = [tickets.seal({ n: 1 }, 'call'), tickets.seal({ n: 2 }, 'call')]
    expect(await tickets.redeem(used, 'call')).toEqual({ state: { n: 1 } })
    clock.step(2 * HOUR)
    expect(await tickets.redeem(unused, 'call')).toBeUndefined()
    // What is over is forgotten now and then, but not so soon that it could be good again.
    for (let n = 0; n < 1_001; n += 1) await nonces.use(`other ${n}`, clock.now() + SECOND)
    clock.step(-2 * HOUR)
    expect(await tickets.redeem(used, 'call')).toBeUndefined()
    expect(await tickets.redeem(unused, 'call')).toEqual({ state: { n: 2 } })
  })

  it('limits count the time that passed, not the time that is shown', async () => {
    const clock = steppedClock()
    const rates = createMemoryRates(clock)
    const take = () => rates.take('alice', 2, 60 * SECOND)
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
    clock.step(3 * HOUR)
    expect(await take()).toBe(false)
    clock.step(-6 * HOUR)
    expect(await take()).toBe(false)
    clock.pass(31 * SECOND)
    expect([await take(), await take()]).toEqual([true, false])
  })
})

onServer('a clock that is set', (server) => {
  afterEach(() => server.clear())
  timers(() => server.store())
  values((clock) => createServerMemory(server.store(), MEMORY_LIMITS, { clock }))
})
