import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, cleanName, cleanText } from './clean-text.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const tagged = (text: string): string => Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
/** What no clean text holds anywhere; joiners, selectors and tags depend on what they stand beside. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Cs}\p{Noncharacter_Code_Point}]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|\u180e(?![\u1820\u1821])|\u{1d159}(?![\u{1d165}\u{1d166}])|\r(?!\n)/u

const hostile = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('\u001b', '[', '\u009d', '\u0007', '31m', '\r', '\n', '\u200d', '\u200c', '\ufe0f', '\ufe00', '\u{e0100}', '\u{e0101}', '≨', '葛', '❤', '👍', '🏽', '🏴', tagged('gbsct'), '\u{e007f}', 'क', '्', 'ی', '1', '\u20e3', '\ud83d', '\udc4d', '中', '\u180b', '\u180f', '\u180e', 'ᠮ', 'ᠠ', '\u2800', '⠓', '\u{1d159}', '\u{1d159}', '\u{1d165}', '\u{1d16d}', '\u064b', '\u0301', '\u0650', 'e', '<', '\u0338'),
  ),
  { maxLength: 24 },
).map((parts) => parts.join(''))

describe('cleanText', () => {
  it.each([
    ['a colour sequence', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['a one-byte control sequence', '\u009b31mred', 'red'],
    ['a sequence that never ends', 'tail\u001b[31', 'tail'],
    ['a window title', '\u001b]0;owned\u0007x', 'x'],
    ['a clipboard write over two lines', '\u001b]52;c;\nZXZpbA==\u001b\\x', 'x'],
    ['only the beginning of a control string that nothing ends', '\u001b]0;all of this\nis text', '0;all of this\nis text'],
    ['a device control string', '\u001bP$q"p\u001b\\after', 'after'],
    ['a character set switch', '\u001b(0lqqk\u001b(B', 'lqqk'],
    ['a null byte', 'a\u0000b', 'ab'],
    ['zero-width spaces', 'pass\u200bword', 'password'],
    ['a bidirectional override', 'a\u202eb', 'ab'],
    ['a Hangul filler', 'a\u3164b', 'ab'],
    ['tag smuggling', `hi${tagged('do it')}`, 'hi'],
    ['a flag that spells something else', `\u{1f3f4}${tagged('hello')}\u{e007f}`, '\u{1f3f4}'],
    ['supplementary variation selectors', `x${String.fromCodePoint(0xe0100, 0xe0101)}`, 'x'],
    ['a run of selectors behind an ideograph, whatever it spells', `葛${String.fromCodePoint(0xe0100, 0xe0101, 0xe0102)}x`, '葛x'],
    ['two equal selectors behind an ideograph', '葛\u{e0100}\u{e0100}', '葛'],
    ['a run of selectors of both kinds behind an ideograph', '不\ufe00\u{e0100}', '不'],
    ['the second of two selectors that an invisible character parts', '葛\u{e0100}\u200b\u{e0101}', '葛\u{e0100}'],
    ['ideographic selectors behind letters, signs and kana', 'a\u{e0100}1\u{e0100}≨\u{e0100}か\u{e0100}', 'a1≨か'],
    ['a run of selectors behind a relation', '≨\ufe00\ufe00', '≨'],
    ['selectors behind signs that have one form', '≤\ufe00+\ufe00=\ufe001\ufe00', '≤+=1'],
    ['other selectors behind a relation', '≨\ufe01', '≨'],
    ['a run of Mongolian selectors, whatever it spells', 'ᠮ\u180b\u180c\u180d\u180f\u180b', 'ᠮ'],
    ['two Mongolian selectors', 'ᠮ\u180b\u180cᠠ', 'ᠮᠠ'],
    ['a Mongolian separator where no last vowel follows', 'pass\u180eword ᠮ\u180eᠭ \u180eᠠ', 'password ᠮᠭ ᠠ'],
    ['the head of a note that shows nothing', 'a\u{1d159}b', 'ab'],
    ['selectors behind a digit', '1\ufe012\ufe0f', '12'],
    ['all selectors of an emoji but one', '❤\ufe0f\ufe0f\ufe0e', '❤\ufe0f'],
    ['a joiner between letters', 'a\u200db', 'ab'],
    ['a joiner behind an emoji that joins nothing', '👍\u200dx', '👍x'],
    ['a joiner behind an accent', 'e\u0323\u0308\u200dx', 'ẹ\u0308x'],
    ['all joiners of a letter but one', 'می\u200c\u200d\u200cخ', 'می\u200cخ'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a noncharacter', 'a\ufdd0\u{1fffe}b', 'ab'],
    ['a carriage return that would write over the line', 'safe\revil', 'safe\nevil'],
    ['line ends of other systems', 'a\u0085b\u2028c\u2029d', 'a\nb\nc\nd'],
    ['a sequence that removal would join', '\u001b\u0000[31mx', '[31mx'],
    ['a sequence inside a sequence', '\u001b[3\u001b[31m1mred', '1mred'],
  ])('removes %s', (_what, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it.each([
    '日本語のテキスト', 'مرحبا بالعالم', 'नमस्ते', 'क्\u200dष', 'naïve café', 'می\u200cخواهم', 'ശ്രീ', 'සිංහල ක්\u200dෂ', 'สวัสดี', 'שלום', 'ᠮᠣᠩᠭᠣᠯ\u180b', 'ᠪᠠ\u180eᠠ', 'ᠨ\u180b\u180eᠠ', '⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙', '\u2800\u2800\u2800\n\u2800⣿\u2800\n\u2800\u2800', '\u{1d159}\u{1d165}',
    '👨‍👩‍👧‍👦 family', '👍🏽', '❤️', '🏳️‍🌈', '👩🏽‍💻', '❤️‍🔥', '1️⃣', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '∑ ∫ ∞ ≤', '葛\u{e0100}城市', '辻\u{e0101}さん', '不\ufe00', '≨\ufe00 ∩\ufe00 ⪭\ufe00', '0\ufe00', '㐂\u{e0101}\u3000㐂', '┌─┐', 'tabs\tand\nlines', 'dos\r\nlines\r\n', 'no\u00a0break', '',
  ])('leaves %j as it is', (text) => {
    expect(cleanText(text)).toBe(text.normalize('NFC'))
  })

  it('keeps of a run of marks what a character may bear', () => {
    expect(cleanText(`x${'\u0338'.repeat(99)}y`)).toBe(`x${'\u0338'.repeat(30)}y`)
  })

  it('counts marks across the joiners between them', () => {
    for (const joiner of ['\u200c', '\u200d', '\u200d\u200c']) {
      const clean = cleanText(`س${`\u064b${joiner}`.repeat(99)}ت`)
      expect(clean.length).toBeLessThanOrEqual(32)
      expect(clean).toMatch(/^س.*ت$/u)
    }
  })

  it('shows a cell of Braille without dots as the blank that it looks like, where nothing is written in Braille', () => {
    expect(cleanText('pass\u2800word \u2800')).toBe('pass\u00a0word \u00a0')
    expect(cleanText('pass\u2800word ⠓\u2800⠑')).toBe('pass\u00a0word ⠓\u2800⠑')
  })

  it('composes what was decomposed', () => {
    expect(cleanText('cafe\u0301')).toBe('café')
    expect(cleanName('cafe\u0301')).toBe('cafe\u0301')
  })

  it('changes nothing the second time, and leaves nothing forbidden', () => {
    fc.assert(fc.property(hostile, (text) => {
      const once = cleanText(text)
      expect(cleanText(once)).toBe(once)
      expect(once).not.toMatch(FORBIDDEN)
      expect(cleanName(cleanName(text))).toBe(cleanName(text))
    }), { numRuns: 4_000 })
  })

  it('takes time in proportion to the text', () => {
    for (const part of ['\u001b]', '\u0090', '\u001b[', '👍\u200d', 'ی\u200c', '\u200d', '\ufe0f', '🏴', '葛\u{e0100}', '葛\u{e0100}\u{e0101}', '\r', 'e\u0301', '\u0301\u0323', '\u0344', '\u064b\u200c', '\u2800', '\u2800 ', '⠓\u2800x', 'ᠮ\u180b', 'ᠮ\u180e', '\u{1d159}']) {
      expect(cleanText(part.repeat(200_000)).length).toBeLessThanOrEqual(part.length * 200_000)
    }
  })
})

describe('naughty strings', () => {
  const file = new URL('../../../../shared/corpora/strings/blns.json', import.meta.url)
  it.skipIf(!existsSync(file))('come out clean and stay so (skipped where the shared corpora are absent)', () => {
    const strings = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
    expect(strings.length).toBeGreaterThan(400)
    for (const text of strings) {
      const clean = cleanText(text)
      expect(clean).not.toMatch(FORBIDDEN)
      expect(cleanText(clean)).toBe(clean)
      if (/^[\t\n\u0020-\u007e]*$/.test(text)) expect(clean).toBe(text)
    }
  })
})

describe('cleanLine', () => {
  it('is one line of bounded length', () => {
    expect(cleanLine('a\r\nb\tc')).toBe('a b c')
    expect(cleanLine('x'.repeat(9_999), 500)).toHaveLength(500)
  })

  it('keeps the longest path whole', () => {
    expect(cleanLine('p'.repeat(4_096))).toHaveLength(4_096)
    expect(cleanLine('p'.repeat(4_097))).toHaveLength(4_096)
  })

  it('cuts no character in two, nor leaves half a sequence', () => {
    expect(cleanLine('ab😀', 3)).toBe('ab')
    expect(cleanLine('ab👩\u200d💻', 5)).toBe('ab👩')
    expect(cleanLine(`🏴${tagged('gbsct')}\u{e007f}`, 8)).toBe('🏴')
  })

  it('changes nothing the second time', () => {
    fc.assert(fc.property(hostile, fc.integer({ min: 1, max: 40 }), (text, maxChars) => {
      const once = cleanLine(text, maxChars)
      expect(cleanLine(once, maxChars)).toBe(once)
      expect(once.length).toBeLessThanOrEqual(maxChars)
      expect(once).not.toMatch(FORBIDDEN)
    }), { numRuns: 2_000 })
  })
})

it('comes to rest soon where each head of a note that goes makes the one before it go', () => {
  const text = `${'\u{1d159}\u{1d165}'.repeat(12_000)}\u093cb`
  const clean = cleanText(text)
  expect(cleanText(clean)).toBe(clean)
  expect(clean.length).toBeLessThan(100)
}, SOON_MS)
