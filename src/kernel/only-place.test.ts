import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onlyPlaceOf } from './only-place.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const repeating = fc.tuple(fc.constantFrom('a', 'ab', 'aab', 'abc\n'), fc.integer({ min: 0, max: 400 }), fc.constantFrom('', 'b', 'a')).map(([unit, times, end]) => unit.repeat(times) + end)

it('finds what the platform finds, once', () => {
  fc.assert(fc.property(repeating, fc.array(repeating, { maxLength: 4 }), fc.nat(), (part, around, at) => {
    const text = around.toSpliced(at % (around.length + 1), 0, ...(at % 3 === 0 ? [] : [part])).join('')
    const first = part === '' ? -1 : text.indexOf(part)
    expect(onlyPlaceOf(part, text)).toBe(first < 0 || text.indexOf(part, first + 1) >= 0 ? undefined : first)
  }), { numRuns: 2_000 })
})

it('looks for a long text that is nearly everywhere without starting anew at each place', () => {
  const half = 'a'.repeat(50_000)
  expect(onlyPlaceOf(`${half}b${half}`, 'a'.repeat(1_500_000))).toBeUndefined()
}, SOON_MS)
