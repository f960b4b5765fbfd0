import { expect, it } from 'vitest'
import { createSanitiser } from './sanitiser.ts'

const refusedAs = (code: string): unknown => expect.objectContaining({ code })
const bytes = (text: string): Uint8Array => Buffer.from(text)

it.each([
  ['json', '\ufeff{ "b": "<b>", "a": [1.0] }', '{"a":[1],"b":"<b>"}'],
  ['markdown', '\ufeffa <b>c</b>', 'a c\n'],
  ['text', '\ufeffa <b>\u001b[31mc</b>', 'a <b>c</b>'],
] as const)('cleans %s for its format', async (kind, text, clean) => {
  expect(await createSanitiser().clean(bytes(text), kind)).toEqual({ text: clean, format: kind })
})

it.each(['json', 'markdown', 'text'] as const)('refuses %s that is not UTF-8 or too large', async (kind) => {
  await expect(createSanitiser().clean(Uint8Array.of(0x61, 0xff), kind)).rejects.toEqual(refusedAs('content.encoding'))
  await expect(createSanitiser({ maxBytes: 4 }).clean(bytes('"abc"'), kind)).rejects.toEqual(refusedAs('content.too-large'))
})

it('lets the smaller of two limits stand', async () => {
  const small = createSanitiser({ maxBytes: 100, json: { maxBytes: 4, maxDepth: 1 }, markdown: { maxDepth: 2 } })
  await expect(small.clean(bytes('"abc"'), 'json')).rejects.toEqual(refusedAs('content.too-large'))
  await expect(small.clean(bytes('[[]]'), 'json')).rejects.toEqual(refusedAs('content.too-deep'))
  await expect(small.clean(bytes('> > > a'), 'markdown')).rejects.toEqual(refusedAs('content.too-deep'))
  expect((await small.clean(bytes('"abc"'), 'text')).text).toBe('"abc"')
})

it('keeps what a title says on one line', async () => {
  const { text } = await createSanitiser().clean(bytes('[x][y]\n\n[y]: https://e.test "a&#10;b"'), 'markdown')
  expect(text).toBe('[x](https://e.test "a b")\n')
})
