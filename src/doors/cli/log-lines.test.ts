import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lineTo } from './log-lines.ts'

let writes: string[]
let stream: Writable
beforeEach(() => {
  vi.useFakeTimers()
  writes = []
  stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString())
      done()
    },
  })
})
afterEach(() => void vi.useRealTimers())

it('lines of a moment are one write, in the order in which they came, whenever they are spelled', () => {
  const { log } = lineTo(stream)
  log('a')
  log.later?.((n: number) => `later ${n}`, 1)
  log('b')
  expect(writes).toEqual([])
  vi.advanceTimersByTime(20)
  expect(writes).toEqual(['a\nlater 1\nb\n'])
})

it('a line that an effect waits for takes those before it along, at once', () => {
  const { log } = lineTo(stream)
  log.later?.(() => 'before', undefined)
  expect(log('now', true)).toBe(true)
  expect(writes).toEqual(['before\nnow\n'])
  vi.advanceTimersByTime(100)
  expect(writes).toHaveLength(1)
})

it('256 lines wait for nothing', () => {
  const { log } = lineTo(stream)
  for (let n = 0; n < 256; n += 1) log.later?.(String, n)
  expect(writes.join('').split('\n')).toHaveLength(257)
})

it('a line that cannot be spelled is left out, and nothing else', () => {
  const { log, flush } = lineTo(stream)
  log('a')
  log.later?.(() => {
    throw new Error('no line')
  }, undefined)
  log('b')
  flush()
  expect(writes).toEqual(['a\nb\n'])
})

it('a stream that nobody reads any more takes no line', () => {
  const { log } = lineTo(stream)
  stream.destroy()
  expect([log('a'), log.later?.(String, 1)]).toEqual([false, false])
})
