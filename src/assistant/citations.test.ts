import fc from 'fast-check'
import { micromark } from 'micromark'
import { expect, it } from 'vitest'
import { createSources } from './citations.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const sources = () => {
  const all = createSources()
  all.add({ path: 'notes/todo.md' }, { hits: [{ path: 'Guide.md', snippet: 'see https://not.retrieved/' }], final_url: 'https://docs.example/page#part' })
  all.add({ path: 'app/[id]/page.tsx' }, { path: 'notes/old (2).md' }, { path: 'a, b.md' }, { url: 'https://docs.example/page_(b)' })
  all.addText('read https://asked.example/x for me')
  return all
}

/** Where the page of a CommonMark renderer that holds nothing back leads to. */
const reached = (text: string): readonly string[] =>
  [...micromark(text, { allowDangerousHtml: true, allowDangerousProtocol: true }).matchAll(/<[a-z][^>]*?\s(?:href|src)="?([^"> ]*)|<style[^<]*url\(([^)]*)/gi)].map(([, url, style]) => url ?? style ?? '')

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
  ['a [source: app/[id]/page.tsx, notes/old (2).md]', 'a [source: app/[id]/page.tsx, notes/old (2).md]'],
  ['a (source: a, b.md) b [source: made-up[1].md].', 'a (source: a, b.md) b.'],
  ['[page](https://docs.example/page_(b))', '[page](https://docs.example/page_(b))'],
  ['<https://docs.example/page> and std::vector<std::string>', '<https://docs.example/page> and std::vector<std::string>'],
  ['array[0] and f(source) and {a: [1, 2]}', 'array[0] and f(source) and {a: [1, 2]}'],
])('%j becomes %j', (text, stripped) => {
  expect(sources().strip(text)).toBe(stripped)
})

it.each([
  ['a text with brackets in it', '![a[b]](https://evil.test/)'],
  ['links in each other', '[[[a](https://evil.test/)](https://evil.test/)](https://evil.test/)'],
  ['what is left where another was taken out', '![a]<https://evil.test/>(https://evil.test/)'],
  ['a definition in a quote', '![a][b]\n\n> [b]: https://evil.test/'],
  ['a definition in a list, a line further on', '[b]\n\n- [b]:\n  <https://evil.test/>'],
  ['an address in pointed brackets of another', '<https://evil.test/<https://evil.test/>>'],
  ['an address of another scheme', '<ftp://evil.test/>'],
  ['an address that a browser reads without slashes', '<https:evil.test>'],
  ['more than was retrieved, with a bracket that is none', '![a](https://docs.example/page_(b\\)evil))'],
  ['a tag', '<img alt=">" src="https://evil.test/">'],
  ['a style', '<style>a { background: url(https://evil.test/) }</style>'],
  ['more than was retrieved, behind a blank', '![a](<https://docs.example/page evil>)'],
  ['more than was retrieved, in brackets', '![a](https://docs.example/page(evil))'],
  ['more than was retrieved, as a place in it', '![a](https://docs.example/page:66)'],
  ['what was retrieved, with a message in its capitals', '![a](https://docs.example/pAgE)'],
  ['a host behind references', '[a](&#104;ttps&colon;//evil.test)'],
])('leaves no address that a renderer would reach for: %s', (_what, text) => {
  expect(reached(sources().strip(text))).toEqual([])
})

it('leaves no address that a renderer would reach for, whatever stands beside it', () => {
  const piece = fc.constantFrom(
    'a', ' ', '\n', '\n\n', '[', ']', '(', ')', '![', '](', ']:', '[b]', '\n[b]: ', '\n> [b]: ', '<', '>', '"', "'", '\\', '`', '#', ':1', '[^1]', '【x】', '[source: x]', '&#58;', '//',
    'https://evil.test/', 'https://docs.example/page', 'HTTPS://DOCS.example/page', '<https://evil.test>', '![a](https://evil.test/ "t")', '[b](https://docs.example/page)', '<img src=', '<a href="', 'notes/todo.md', '(b)', '_(b)', '\\)', 'https://docs.example/page_(b)', '[b](https://docs.example/page_(b))',
  )
  const known = new Set(['https://docs.example/page', 'https://docs.example/page_(b)', 'notes/todo.md'])
  fc.assert(fc.property(fc.array(piece, { maxLength: 14 }).map((all) => all.join('')), (text) => {
    // A name without a place to go to stays on the page that shows it.
    expect(reached(sources().strip(text)).filter((url) => !known.has(url.replace(/#.*$|\/$/, '')) && /[:\\]|\/\//.test(url))).toEqual([])
  }), { numRuns: 3_000 })
})

it('takes no argument out of a call in code, and leaves no link of it', () => {
  expect(sources().strip('handlers[name](event, data); fns[0](1,2)')).toBe('handlers[name] (event, data); fns[0] (1,2)')
  for (const link of ['x[y](https://evil.example,a)', 'x[y](//evil.example, a)', 'x[y](/\\\\evil.example, a)', 'see [y](a, b)']) expect(sources().strip(link)).not.toMatch(/\(/)
})

it('leaves code that looks like a link as it is', () => {
  const code = 'handlers[name](event); const a: Record<string, number[]> = {}; rows[0]: x; if (a<b && c>d) {}'
  expect(sources().strip(code)).toBe(code)
})

it.each([
  ['blanks', ' '.repeat(150_000), ' '.repeat(150_000)],
  ['pictures that are never closed', '![]('.repeat(1_500), '![] ('.repeat(1_500)],
  ['definitions without a target', ']:'.repeat(400_000), `${'] :'.repeat(399_999)}]:`],
  ['links that are never closed', `[a](b${'<c '.repeat(3_000)}`, `[a] (b${'<c '.repeat(3_000)}`],
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
