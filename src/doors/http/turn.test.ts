import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurn } from './turn.ts'

/** A turn by a clock that moves when a call says so, and what was done in it, in order. */
function machine() {
  let now = 0
  const done: string[] = []
  const turn = createTurn(() => now)
  const call = (name: string, ms = 0): void =>
    turn.call(() => {
      done.push(`call ${name}`)
      now += ms
      turn.answer(() => void done.push(`answer ${name}`))
    })
  return { turn, call, done }
}

describe('requests of one turn', () => {
  it('make their calls when all have arrived, and are answered behind them in their order', async () => {
    const { call, done } = machine()
    for (const name of ['a', 'b', 'c']) call(name)
    expect(done).toEqual([])
    await nextTurn()
    expect(done).toEqual(['call a', 'call b', 'call c', 'answer a', 'answer b', 'answer c'])
  })

  it('do not wait for calls that take long', async () => {
    const { call, done } = machine()
    call('a', 0.4)
    call('b', 0.7)
    call('c')
    await nextTurn()
    expect(done).toEqual(['call a', 'call b', 'answer a', 'answer b', 'call c', 'answer c'])
  })

  it('leave those that arrive meanwhile to the next', async () => {
    const { turn, call, done } = machine()
    turn.call(() => call('late'))
    call('a')
    await nextTurn()
    expect(done).toEqual(['call a', 'answer a'])
    await nextTurn()
    expect(done).toEqual(['call a', 'answer a', 'call late', 'answer late'])
  })
})

it('an answer that is ready later is given at once', () => {
  const { turn, done } = machine()
  turn.answer(() => void done.push('answer'))
  expect(done).toEqual(['answer'])
})
