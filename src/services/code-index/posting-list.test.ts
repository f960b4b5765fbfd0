import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCorrupt } from './corrupt-index.ts'
import { blockOf, blockRange, changeBlock, fileOf, keyOf, MAX_CHUNKS, MAX_FILES, noPostings, ordinalOf, type Posting, readBlock } from './posting-list.ts'

const postings: fc.Arbitrary<readonly Posting[]> = fc.uniqueArray(fc.record({ ordinal: fc.nat(MAX_CHUNKS - 1), weight: fc.integer({ min: 1, max: 255 }) }), { maxLength: 6, selector: ({ ordinal }) => ordinal })
  .map((list) => [...list].sort((a, b) => a.ordinal - b.ordinal))
const changes = fc.array(fc.tuple(fc.nat(511), postings), { maxLength: 12 }).map((entries) => new Map(entries))

const read = (bytes: Uint8Array, row = 0): readonly (readonly number[])[] => {
  const list = noPostings()
  readBlock(row, bytes, list)
  return list.files.map((file, at) => [file, list.ordinals[at] ?? -1, list.weights[at] ?? -1])
}

describe('a posting block', () => {
  it('holds what the last change of every file said, in order', () => {
    fc.assert(fc.property(fc.array(changes, { maxLength: 5 }), (rounds) => {
      const state = new Map<number, readonly Posting[]>()
      let bytes: Uint8Array = new Uint8Array()
      for (const round of rounds) {
        bytes = changeBlock(bytes, [...round].map(([file, list]) => ({ file, postings: list })))
        for (const [file, list] of round) state.set(file, list)
      }
      const wanted = [...state].sort(([a], [b]) => a - b).flatMap(([file, list]) => list.map(({ ordinal, weight }) => [file, ordinal, weight]))
      expect(read(bytes)).toEqual(wanted)
    }))
  })

  it('of any bytes is read, or told broken, and never anything else', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const use of [() => read(bytes), () => changeBlock(bytes, [{ file: 3, postings: [] }])]) {
        try {
          use()
        } catch (error) {
          expect(isCorrupt(error)).toBe(true)
        }
      }
    }), { numRuns: 1_000 })
  })

  it('has a row number that a double holds, for the last term and the last file', () => {
    const [first, last] = blockRange(2 ** 32 - 1)
    expect(blockOf(2 ** 32 - 1, MAX_FILES - 1)).toBe(last)
    expect(blockOf(2 ** 32 - 1, 0)).toBe(first)
    expect(Number.isSafeInteger(last) && Number.isSafeInteger(keyOf(MAX_FILES, 0))).toBe(true)
  })

  it('gives each declaration a key of its own', () => {
    fc.assert(fc.property(fc.nat(MAX_FILES - 1), fc.nat(MAX_CHUNKS - 1), (file, ordinal) => {
      expect([fileOf(keyOf(file, ordinal)), ordinalOf(keyOf(file, ordinal))]).toEqual([file, ordinal])
    }))
  })
})
