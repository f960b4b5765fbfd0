import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText } from './clean-text.ts'

describe('cleanText', () => {
  it.each([
    ['a colour sequence', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['a window title', '\u001b]0;owned\u0007x', 'x'],
    ['a null byte', 'a\u0000b', 'ab'],
    ['zero-width spaces', 'pass\u200bword', 'password'],
    ['a bidirectional override', 'a\u202eb', 'ab'],
    ['tag smuggling', `hi${String.fromCodePoint(0xe0068, 0xe0069)}`, 'hi'],
    ['supplementary variation selectors', `x${String.fromCodePoint(0xe0100, 0xe0101)}`, 'x'],
    ['a joiner between letters', 'a\u200db', 'ab'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a sequence that removal would join', '\u001b\u0000[31mx', '[31mx'],
  ])('removes %s', (_what, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it.each(['日本語のテキスト', 'مرحبا بالعالم', 'नमस्ते', 'naïve café', '👨‍👩‍👧‍👦 family', '👍🏽', '❤️', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'می‌خواهم', 'tabs\tand\nlines'])(
    'leaves %s as it is',
    (text) => {
      expect(cleanText(text)).toBe(text.normalize('NFC'))
    },
  )

  it('changes nothing the second time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const once = cleanText(text)
      expect(cleanText(once)).toBe(once)
    }), { numRuns: 2000 })
  })
})

describe('cleanLine', () => {
  it('is one line of bounded length', () => {
    expect(cleanLine('a\nb\tc')).toBe('a b c')
    expect(cleanLine('x'.repeat(9_999))).toHaveLength(500)
  })
})
