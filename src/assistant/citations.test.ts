import { expect, it } from 'vitest'
import { createSources } from './citations.ts'

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
