import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearestName } from './nearest-name.ts'

describe('the distance between two words', () => {
  it.each([
    ['port', 'port', 0],
    ['prot', 'port', 1],
    ['por', 'port', 1],
    ['porrt', 'port', 1],
    ['part', 'port', 1],
    ['', 'port', 4],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  it('is the same both ways, zero only for equal words, and never more than the longer word', () => {
    const word = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b)
        expect(distance).toBe(editDistance(b, a))
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('the nearest name', () => {
  it('is the least distant one, whatever the letter case', () => {
    expect(nearestName('DOC_RAED', ['DOC_READ', 'DOC_SCAN'])).toBe('DOC_READ')
    expect(nearestName('doc_read', ['DOC_READ'])).toBe('DOC_READ')
  })

  it('is none when nothing is near, or the name is absurdly long', () => {
    expect(nearestName('zzzzzz', ['DOC_READ'])).toBeUndefined()
    expect(nearestName('DOC_READ'.repeat(100_000), ['DOC_READ'])).toBeUndefined()
  })
})
