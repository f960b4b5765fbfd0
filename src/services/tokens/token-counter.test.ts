import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { splitRuns } from './split-runs.ts'
import { createTokens } from './token-counter.ts'

const count = await createTokens().counter()
const bytes = (text: string): number => Buffer.byteLength(text)

/** Words, code, scripts without blanks, emoji, runs, and characters by themselves. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('the quick brown fox ', 'getUserById(', '\n\n    return ', '漢字仮名', '👩‍👩‍👧', '<|endoftext|>', '}\n});\n', ' \t ', '1234567', 'É', 'e\u0301', '\ud83d', '\r\n'),
  fc.tuple(fc.constantFrom('a', ' ', '-', '😀', '\n', 'ab', '漢'), fc.integer({ min: 1, max: 900 })).map(([unit, times]) => unit.repeat(times)),
)
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))

describe('the token counter', () => {
  it('agrees with the tokenizer on text without long runs', () => {
    const plain = text.filter((one) => !/\S{201}|\s{201}/.test(one))
    fc.assert(fc.property(plain, (one) => void expect(count(one)).toBe(countTokens(one, { disallowedSpecial: new Set() }))))
  })

  it('counts the names of special tokens as text', () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(1)
    expect(count('')).toBe(0)
  })

  it('counts at least one token and at most one for each byte', () => {
    fc.assert(fc.property(text, (one) => {
      expect(count(one)).toBeGreaterThanOrEqual(one === '' ? 0 : 1)
      expect(count(one)).toBeLessThanOrEqual(bytes(one))
    }))
  })

  it('counts two texts together as what they cost alone, give or take what happens where they meet', () => {
    // Longer runs would be cut at other places once they are joined.
    const short = text.filter((one) => !/\S{101}|\s{101}/.test(one))
    fc.assert(fc.property(short, short, (one, other) => {
      expect(Math.abs(count(one + other) - count(one) - count(other))).toBeLessThanOrEqual(SEAM)
    }), { numRuns: 1_000 })
  })

  it('cuts long runs so that no piece is long, loses nothing and breaks no character', () => {
    fc.assert(fc.property(text, (one) => {
      const pieces: string[] = []
      splitRuns(one, (part) => void pieces.push(part))
      expect(pieces.join('')).toBe(one)
      for (const part of pieces) {
        expect(part).not.toMatch(/\S{201}|\s{201}/)
        expect(part).not.toBe('')
      }
      const lone = (value: string): number => value.match(/\p{Cs}/gu)?.length ?? 0
      expect(pieces.reduce((sum, part) => sum + lone(part), 0)).toBe(lone(one))
    }))
  })

  it.each([['one letter', 'a'], ['blanks', ' '], ['emoji', '😀'], ['a mark', '-'], ['a letter without blanks', '漢'], ['accents', 'e\u0301']])('gives the tokenizer no long piece of %s', (_what, unit) => {
    let longest = 0
    splitRuns(unit.repeat(100_000), (part) => void (longest = Math.max(longest, part.length)))
    expect(longest).toBeLessThanOrEqual(128)
  })
})

/** Tokens by which the count of a whole may differ from the sum of two parts. */
const SEAM = 8
