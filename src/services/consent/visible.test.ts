import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visible } from './visible.ts'

it.each([
  ['a\u200bb', 'a\\u{200b}b'], ['\u202egnp.exe', '\\u{202e}gnp.exe'], ['\u001b[2J', '\\u{1b}[2J'], ['x\u{e0061}', 'x\\u{e0061}'], ['a\rb', 'a\\u{d}b'],
  ['line\n\tnext — é 日本 👍', 'line\n\tnext — é 日本 👍'],
])('writes %j as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

it('tells texts apart that only hidden characters tell apart', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
    fc.pre(a !== b && !a.includes('\\') && !b.includes('\\'))
    expect(visible(a)).not.toBe(visible(b))
  }))
})
