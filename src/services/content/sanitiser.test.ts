import { expect, it } from 'vitest'
import type { ContentFormat } from '../../kernel/ports/content.ts'
import { createSanitiser } from './sanitiser.ts'
import type { SanitiserOptions } from './sanitiser.ts'

const refusedAs = (code: string): unknown => expect.objectContaining({ code })
const bytes = (text: string): Uint8Array => Buffer.from(text)
const cleaned = async (limits: SanitiserOptions, content: Uint8Array, kind: ContentFormat): Promise<string> => {
  const sanitiser = createSanitiser(limits)
  return sanitiser.clean(sanitiser.decode(content), kind)
}

it.each([
  ['json', '\ufeff{ "b": "<b>", "a": [1.0] }', '{"a":[1],"b":"<b>"}'],
  ['markdown', '\ufeffa <b>c</b>', 'a c\n'],
  ['text', '\ufeffa <b>\u001b[31mc</b>', 'a <b>c</b>'],
] as const)('cleans %s for its format', async (kind, text, clean) => {
  expect(await cleaned({}, bytes(text), kind)).toBe(clean)
})

it.each(['json', 'markdown', 'text'] as const)('refuses %s that is not UTF-8 or too large', async (kind) => {
  await expect(cleaned({}, Uint8Array.of(0x61, 0xff), kind)).rejects.toEqual(refusedAs('content.encoding'))
  await expect(cleaned({ maxBytes: 4 }, bytes('"abc"'), kind)).rejects.toEqual(refusedAs('content.too-large'))
})

it('refuses JSON behind two byte order marks, and reads it behind one', async () => {
  await expect(cleaned({}, bytes('\ufeff\ufeff[1]'), 'json')).rejects.toEqual(refusedAs('content.json'))
  await expect(cleaned({}, bytes('[1]\ufeff'), 'json')).rejects.toEqual(refusedAs('content.json'))
  expect(await cleaned({}, bytes('\ufeff[1]'), 'json')).toBe('[1]')
})

it('lets the smaller of two limits stand', async () => {
  const small = { maxBytes: 100, json: { maxBytes: 4, maxDepth: 1 }, markdown: { maxDepth: 2 } }
  await expect(cleaned(small, bytes('"abc"'), 'json')).rejects.toEqual(refusedAs('content.too-large'))
  await expect(cleaned(small, bytes('[[]]'), 'json')).rejects.toEqual(refusedAs('content.too-deep'))
  await expect(cleaned(small, bytes('> > > a'), 'markdown')).rejects.toEqual(refusedAs('content.too-deep'))
  expect(await cleaned(small, bytes('"abc"'), 'text')).toBe('"abc"')
})

it('keeps what a title says on one line', async () => {
  const text = await cleaned({}, bytes('[x][y]\n\n[y]: https://e.test "a&#10;b"'), 'markdown')
  expect(text).toBe('[x](https://e.test "a b")\n')
})

it('remembers what it rebuilt, and still refuses what it refused', async () => {
  const sanitiser = createSanitiser({ markdown: { maxDepth: 2 } })
  for (const _time of [1, 2]) {
    expect(await sanitiser.clean('a <b>c</b>', 'markdown')).toBe('a c\n')
    await expect(sanitiser.clean('> > > a', 'markdown')).rejects.toEqual(refusedAs('content.too-deep'))
  }
})
