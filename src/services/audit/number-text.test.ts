import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationText, timeText } from './number-text.ts'

const edges = [0, -0, 0.001, 0.1, 0.999, 1e-7, 999, 1_000, 1_000.5, 999_999.999, 1e6, 1e15, 1e21, 8.64e15, -1, -0.5, -1_500, 2 ** 53]
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 4e12 }),
  fc.integer({ min: 0, max: 2e9 }).map((thousandths) => thousandths / 1_000),
  fc.constantFrom(...edges),
)

describe('the text of a number', () => {
  it('is the one of JSON, for times and for durations', () => {
    fc.assert(
      fc.property(number, (value) => {
        const json = JSON.stringify(value)
        expect([timeText(value), durationText(value)]).toEqual([json, json])
      }),
      { numRuns: 5_000 },
    )
  })
})
