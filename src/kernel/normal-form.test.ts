import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compatible, composed } from './normal-form.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const marked = fc.array(fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.tuple(fc.constantFrom('\u0301', '\u0323', '\u0344', '\u0338', '\u{1d165}', '\u{16ff0}', '\u093c', '\u0f73'), fc.integer({ min: 1, max: 70 })).map(([mark, count]) => mark.repeat(count)),
  fc.constantFrom('e', 'क', 'ᄀ', 'ᅡ', '中', '<'),
), { maxLength: 12 }).map((parts) => parts.join(''))

describe('composed', () => {
  it('is normal form C with at most 30 marks in a row, and stays so', () => {
    fc.assert(fc.property(marked, (text) => {
      const once = composed(text)
      expect(once.normalize('NFC')).toBe(once)
      expect(once).not.toMatch(/\p{M}{31}/u)
      expect(composed(once)).toBe(once)
      if (!/\p{M}{16}/u.test(text)) expect(once).toBe(text.normalize('NFC'))
    }), { numRuns: 3_000 })
  })

  it('keeps 30 marks, wherever the run stands', () => {
    for (let before = 0; before < 70; before += 1) {
      const text = (count: number): string => `${'x'.repeat(before)}${'\u0338'.repeat(count)}y`
      expect(composed(text(30))).toBe(text(30))
      expect(composed(text(31))).toBe(text(30))
    }
  })

  it('bears a million marks that are out of order', () => {
    expect(composed(`e${'\u0301\u0323'.repeat(500_000)}`)).toHaveLength(30)
  })
})

describe('compatible', () => {
  it('is normal form KC, and stays so', () => {
    for (const text of ['plain', 'ﬁne', '２\u0301', 'ｶﾞ', 'e\u0301\u0323', '㌔']) {
      expect(compatible(text)).toBe(text.normalize('NFKC'))
      expect(compatible(compatible(text))).toBe(compatible(text))
    }
  })

  it.each(['\u0301\u0323', '\u0301\uff9e', '\u0f73\uff9f'])('bears very many of %j', (marks) => {
    expect(compatible(`e${marks.repeat(150_000)}`).length).toBeLessThan(100)
  }, SOON_MS)
})
