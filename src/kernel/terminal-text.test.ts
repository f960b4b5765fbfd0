import { expect, it } from 'vitest'
import { escaped, shown, still } from './terminal-text.ts'

const HOSTILE = 'a\u001b[2J\u009b\u202e\u2028\u2029\r\n\u0000b'

it('leaves nothing that acts on a terminal or breaks a line', () => {
  expect(shown(HOSTILE)).toBe('a [2J       b')
  expect(escaped(HOSTILE)).toMatch(/^[\x20-\x7e]+$/)
  expect(escaped(HOSTILE)).toBe('a\\u{1b}[2J\\u{9b}\\u{202e}\\u{2028}\\u{2029}\\u{d}\\u{a}\\u{0}b')
})

it('shows the letters of every script, and escapes those that may look like others', () => {
  expect(shown('caf\u00e9 \u0430dmin \u{1f600}')).toBe('caf\u00e9 \u0430dmin \u{1f600}')
  expect(escaped('\u0430dmin \u{1f600}')).toBe('\\u{430}dmin \\u{1f600}')
})

it('leaves the lines of a text, and writes out what would act on a terminal or turn its order', () => {
  expect(still(HOSTILE)).toBe('a\\u001b[2J\\u009b\\u202e\\u2028\\u2029\r\n\\u0000b')
  expect(still('one\rtwo\u007f\ud800')).toBe('one\\u000dtwo\\u007f\\ud800')
  const plain = 'caf\u00e9\t\u0430dmin \u{1f469}\u200d\u{1f469}\n'
  expect(still(plain)).toBe(plain)
})

it('is the same value where the text is JSON', () => {
  const value = { [HOSTILE]: [HOSTILE, '\u2066\u061c'] }
  for (const indent of [undefined, 2]) {
    const text = still(JSON.stringify(value, null, indent))
    expect(text).not.toMatch(/[^\n\x20-\x7e]/)
    expect(JSON.parse(text)).toEqual(value)
  }
})
