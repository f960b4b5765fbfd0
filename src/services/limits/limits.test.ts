import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryNonces } from './memory-nonces.ts'
import { createMemoryRates } from './memory-rates.ts'
import { createSlots } from './slots.ts'

const steps = (start = 0) => {
  let now = start
  return { ticks: () => now, pass: (ms: number) => void (now += ms) }
}

describe('a token bucket', () => {
  it('grants its capacity at once, then nothing until it refills', () => {
    const clock = steps()
    const rates = createMemoryRates(clock)
    const took = () => rates.take('ada calculate', 10, 60_000)
    expect(Array.from({ length: 11 }, took)).toEqual([...Array(10).fill(true), false])
    clock.pass(6_000)
    expect([took(), took()]).toEqual([true, false])
  })

  it('never grants more than capacity plus what time refilled', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 200 }), (capacity, waits) => {
      const clock = steps()
      const rates = createMemoryRates(clock)
      let granted = 0
      for (const wait of waits) {
        clock.pass(wait)
        if (rates.take('k', capacity, 60_000)) granted += 1
      }
      const passed = waits.reduce((sum, wait) => sum + wait, 0)
      expect(granted).toBeLessThanOrEqual(capacity + (passed / 60_000) * capacity + 1e-6)
    }))
  })

  it.each([[1, 250], [3, 50], [10, 1_000], [12, 500], [60, 100]])('of %i a minute grants the next at the very millisecond, though it was asked for every %i ms before', (capacity, every) => {
    const clock = steps()
    const rates = createMemoryRates(clock)
    const took = () => rates.take('k', capacity, 60_000)
    for (let at = 0; at < capacity; at += 1) took()
    const granted: number[] = []
    for (let at = every; at <= 60_000; at += every) {
      clock.pass(every)
      if (took()) granted.push(at)
    }
    expect(granted).toEqual(Array.from({ length: capacity }, (_, at) => ((at + 1) * 60_000) / capacity))
  })

  it('neither takes nor gives by a clock that goes back', () => {
    const clock = steps()
    const rates = createMemoryRates(clock)
    const codes = Array.from({ length: 12 }, () => {
      const took = rates.take('k', 10, 60_000)
      clock.pass(-1_000)
      return took
    })
    expect(codes).toEqual([...Array(10).fill(true), false, false])
  })

  it('keeps callers apart', () => {
    const rates = createMemoryRates(steps())
    expect(rates.take('ada', 1, 60_000)).toBe(true)
    expect(rates.take('bob', 1, 60_000)).toBe(true)
    expect(rates.take('ada', 1, 60_000)).toBe(false)
  })

  it('fails closed when its table is full, and recovers when buckets have refilled', () => {
    const clock = steps()
    const rates = createMemoryRates(clock, 2)
    rates.take('a', 5, 60_000)
    rates.take('b', 5, 60_000)
    expect(rates.take('c', 5, 60_000)).toBe(false)
    clock.pass(120_000)
    expect(rates.take('c', 5, 60_000)).toBe(true)
  })
})

describe('slots', () => {
  it('bound the process and each caller, and come back', () => {
    const slots = createSlots(3, 2)
    const first = slots.take('ada')
    slots.take('ada')
    expect(slots.take('ada')).toBeUndefined()
    expect(slots.take('bob')).toBeDefined()
    expect(slots.take('bob')).toBeUndefined()
    first?.release()
    expect(slots.take('bob')).toBeDefined()
  })
})

describe('things that are used once', () => {
  it('are looked through for those that are over once a second at most, however many come', () => {
    let [now, asked] = [0, 0]
    const nonces = createMemoryNonces({
      now: () => {
        asked += 1
        return now
      },
    }, 2)
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => nonces.use(id, 500))).toEqual([true, true, false, false, false])
    now = 600
    expect(nonces.use('f', 2_000)).toBe(false)
    now = 1_000
    expect([nonces.use('g', 2_000), nonces.use('a', 2_000), nonces.use('h', 2_000)]).toEqual([true, true, false])
    expect(asked).toBeLessThan(10)
  })
})
