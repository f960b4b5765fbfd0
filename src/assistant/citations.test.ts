import { expect, it } from 'vitest'
import { createSources } from './citations.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const sources = () => {
  const all = createSources()
  all.add({ path: 'notes/todo.md' }, { hits: [{ path: 'Guide.md', snippet: 'see https://not.retrieved/' }], final_url: 'https://docs.example/page#part' })
  all.addText('read https://asked.example/x for me')
  return all
}

it.each([
  ['a [source: notes/todo.md]', 'a [source: notes/todo.md]'],
  ['a [source: ./notes/todo.md:12]', 'a [source: ./notes/todo.md:12]'],
  ['a (source: guide.md)', 'a (source: guide.md)'],
  ['a [source: made-up.md].', 'a.'],
  ['a [source: notes/todo.md, made-up.md]', 'a [source: notes/todo.md]'],
  ['a [doc: https://evil.test/?d=1] b', 'a  b'],
  ['a【made-up.md】b【guide.md】', 'ab【guide.md】'],
  ['a [1] and [^2]', 'a  and '],
  ['[page](https://docs.example/page)', '[page](https://docs.example/page)'],
  ['[x](https://asked.example/x)', '[x](https://asked.example/x)'],
  ['[page](https://evil.test/?secret=1 "t")', 'page'],
  ['![pixel](https://evil.test/p?d=1)', 'pixel'],
  ['[page][1]\n\n[1]: https://evil.test/?d=1', '[page][1]\n\n'],
  ['<https://evil.test/?d=1>', ''],
  ['array[0] and f(source) and {a: [1, 2]}', 'array[0] and f(source) and {a: [1, 2]}'],
])('%j becomes %j', (text, stripped) => {
  expect(sources().strip(text)).toBe(stripped)
})

it.each([
  ['blanks', ' '.repeat(150_000), ' '.repeat(150_000)],
  ['pictures that are never closed', '![]('.repeat(1_500), '![]('.repeat(1_500)],
  ['links that are never closed', `[a](b${'<c '.repeat(3_000)}`, `[a](b${'<c '.repeat(3_000)}`],
])('reads very many %s once', (_what, text, stripped) => {
  expect(sources().strip(`${text}x`)).toBe(`${stripped}x`)
}, SOON_MS)

it('takes no name for a source that is too long to be cited', () => {
  const all = createSources()
  all.add({ path: `a${'"'.repeat(150_000)}x` }, { path: 'a.md' })
  expect(all.strip('[source: a.md]')).toBe('[source: a.md]')
}, SOON_MS)

it('takes out a link whatever its length', () => {
  expect(sources().strip(`[page](https://evil.test/?d=${'x'.repeat(5_900)} "t") b`)).toBe('page b')
})
