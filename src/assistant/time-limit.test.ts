import { expect, it } from 'vitest'
import { createTimeLimit } from './time-limit.ts'

function timers() {
  let now = 0
  const due = new Map<object, { at: number; run: () => void }>()
  return {
    ticks: () => now,
    after(ms: number, run: () => void) {
      const key = {}
      due.set(key, { at: now + ms, run })
      return () => void due.delete(key)
    },
    pass(ms: number) {
      now += ms
      for (const [key, { at, run }] of due) {
        if (at > now) continue
        due.delete(key)
        run()
      }
    },
    waiting: () => due.size,
  }
}

it('aborts with a refusal when the time is over, and says that it was time', () => {
  const clock = timers()
  const limit = createTimeLimit(1_000, clock, undefined)
  clock.pass(999)
  expect([limit.signal.aborted, limit.isOver]).toEqual([false, false])
  clock.pass(1)
  expect([limit.signal.reason, limit.isOver]).toMatchObject([{ code: 'call.timeout' }, true])
})

it('does not count the time of a person', async () => {
  const clock = timers()
  const limit = createTimeLimit(1_000, clock, undefined)
  clock.pass(900)
  await limit.paused(async () => clock.pass(100_000))
  expect(limit.isOver).toBe(false)
  clock.pass(100)
  expect(limit.isOver).toBe(true)
})

it('aborts with its caller, which is no lack of time, and leaves nothing waiting', async () => {
  const clock = timers()
  const outer = new AbortController()
  const limit = createTimeLimit(1_000, clock, outer.signal)
  outer.abort()
  expect([limit.signal.reason, limit.isOver]).toMatchObject([{ code: 'call.cancelled' }, false])
  await limit.paused(async () => undefined)
  limit.end()
  expect(clock.waiting()).toBe(0)
})
