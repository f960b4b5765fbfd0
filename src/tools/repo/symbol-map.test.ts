import { expect, it } from 'vitest'
import { repoWorld } from '../../testing/repo-world.fixture.ts'

it('lists declarations with kind, place and container, in one order', async () => {
  const { value } = repoWorld({ 'a.ts': 'export class A {\n  run(): void {}\n}\n', 'b.py': '@deco\ndef f():\n    pass\n', 'README.md': '# Top\n\n## Use\n' })
  expect(await value('symbol_map', {})).toMatchObject({
    file_count: 3, symbol_count: 5, truncated: false, files_seen: 3,
    symbols: [
      { path: 'README.md', name: 'Top', kind: 'heading', container: '', line_start: 1, line_end: 3 },
      { path: 'README.md', name: 'Use', kind: 'heading', container: 'Top', line_start: 3, line_end: 3 },
      { path: 'a.ts', name: 'A', kind: 'class', container: '', line_start: 1, line_end: 3 },
      { path: 'a.ts', name: 'run', kind: 'method', container: 'A', line_start: 2, line_end: 2 },
      { path: 'b.py', name: 'f', kind: 'function', container: '', line_start: 1, line_end: 3 },
    ],
  })
})

it('gives a file without grammar or declarations one entry', async () => {
  const { value } = repoWorld({ 'a.sql': 'select 1;\nselect 2;\n', 'b.ts': '1 + 1\n', 'c.ts': 'class {{{ ((( \u0000'.replace('\u0000', '') })
  expect((await value('symbol_map', {}))['symbols']).toMatchObject([
    { path: 'a.sql', name: 'a.sql', kind: 'file', line_start: 1, line_end: 2 }, { path: 'b.ts', kind: 'file' }, { path: 'c.ts', kind: 'file' },
  ])
})

it('says which limit ended it', async () => {
  const files = { 'a.py': 'a = 1\nb = 2\nc = 3\n', 'b.py': 'd = 4\n' }
  const symbols = repoWorld(files, { settings: { symbolMapMaxSymbols: 2 } })
  expect(await symbols.value('symbol_map', {})).toMatchObject({ symbol_count: 2, truncated: true, limit: 'results' })
  const one = repoWorld(files, { settings: { symbolMapMaxFiles: 1 } })
  expect(await one.value('symbol_map', {})).toMatchObject({ symbol_count: 3, truncated: true, limit: 'files' })
  const small = repoWorld({ 'a.py': Array.from({ length: 500 }, (_, n) => `name_${n} = 1\n`).join('') }, { settings: { outputMaxBytes: 8192 } })
  expect(await small.value('symbol_map', {})).toMatchObject({ truncated: true, limit: 'answer' })
})

it('maps only what the caller may read', async () => {
  const authorizer = { allows: (_caller: unknown, { kind, id }: { kind: string; id: string }) => kind !== 'repo_file' || id !== 'b.py' }
  const { value } = repoWorld({ 'a.py': 'x = 1\n', 'b.py': 'y = 1\n' }, { options: { replace: { authorizer } } })
  expect(await value('symbol_map', {})).toMatchObject({ file_count: 1, symbol_count: 1, files_seen: 1 })
})

it('names what C++ declares: behind macros, in specialisations, as operators', async () => {
  const text = `BEGIN_NS
namespace n {
template <> inline void put<wchar_t>(FILE* to) { int local = 1; }
class EXPORT Box final : public Base {
 public:
  EXPORT explicit Box(int size) : size_(size) {}
  EXPORT ~Box();
  operator const char*() const { return ""; }
  bool operator==(const Box& other) const;
 private:
  struct Outer::Part { int x; };
  int size_ GUARDED_BY(lock_);
};
}
END_NS
`
  const { value } = repoWorld({ 'a.cpp': text })
  const { symbols } = await value('symbol_map', {})
  expect((symbols as readonly { kind: string; name: string; line_start: number }[]).map(({ kind, name, line_start }) => `${line_start} ${kind} ${name}`)).toEqual([
    '2 module n', '3 function put', '4 class Box', '6 method Box', '7 method ~Box', '8 method operator const char*', '9 method operator==', '11 struct Part', '11 field x', '12 field size_',
  ])
})

it('names what Kotlin and Swift declare on one line', async () => {
  const { value } = repoWorld({
    'a.kt': 'class A(val x: Int) { companion object { const val Z = 1; fun make() = A(1) }\n  fun b() {} }\nenum class En { X, Y { override fun g() {} } ; open fun g() {} }\nobject O\n',
    'b.swift': 'struct S { static func +(l: S, r: S) -> S { l } }\nfunc f() -> S { S() }\n',
  })
  const { symbols } = await value('symbol_map', {})
  expect((symbols as readonly { kind: string; name: string; container: string }[]).map(({ kind, name, container }) => `${kind} ${container}.${name}`)).toEqual([
    'class .A', 'property A.x', 'class A.Companion', 'property A.Companion.Z', 'method A.Companion.make', 'method A.b',
    'enum .En', 'member En.X', 'member En.Y', 'method En.g', 'method En.g', 'class .O', 'struct .S', 'method S.+', 'function .f',
  ])
})

it('names what JavaScript declares by setting a member, and what it takes out of a value to export it', async () => {
  const text = `exports.publish = function () {}
module.exports.cancel = async (id) => {
  return id
}
module.exports = { hold: function () {}, release: () => 1, kept, count: 1 }
module.exports = function () {}
Invoice.prototype.split = function (parts) {}
exports.Ledger = class {}
exports.version = '1'
const { imported } = require('./x')
export const { first, second: renamed, third = 1 } = slice, [head] = list
`
  const { value } = repoWorld({ 'a.js': text, 'b.ts': text })
  const { symbols } = await value('symbol_map', {})
  const said = (path: string): readonly string[] => (symbols as readonly { path: string; kind: string; name: string; line_start: number; line_end: number }[])
    .filter((one) => one.path === path).map(({ kind, name, line_start, line_end }) => `${line_start}-${line_end} ${kind} ${name}`)
  expect(said('a.js')).toEqual([
    '1-1 function publish', '2-4 function cancel', '5-5 method hold', '5-5 method release', '7-7 function split', '8-8 class Ledger',
    '11-11 variable first', '11-11 variable renamed', '11-11 variable third', '11-11 variable head',
  ])
  expect(said('b.ts')).toEqual(said('a.js'))
})

it('names each of several names that are declared at once, and nothing beside an alias', async () => {
  const { value } = repoWorld({
    'a.go': 'package a\n\nconst A, B = 1, 2\nconst (\n\tC, D = 3, 4\n)\n', 'b.py': '(a, b) = 1, 2\nc = d = 3\ntype E[T] = list[T]\nclass F:\n    g = h = 1\n',
    'c.swift': 'typealias Alias = Int\n', 'd.kt': 'sealed interface Shape { fun area(): Int }\n',
  })
  const { symbols } = await value('symbol_map', {})
  expect((symbols as readonly { path: string; kind: string; name: string }[]).map(({ path, kind, name }) => `${path} ${kind} ${name}`)).toEqual([
    'a.go constant A', 'a.go constant B', 'a.go constant C', 'a.go constant D',
    'b.py variable a', 'b.py variable b', 'b.py variable c', 'b.py variable d', 'b.py type E', 'b.py class F', 'b.py field g', 'b.py field h',
    'c.swift type Alias', 'd.kt interface Shape', 'd.kt method area',
  ])
})

it('names what Rust implements for types that it did not declare, and what it takes from elsewhere', async () => {
  const { value } = repoWorld({ 'a.rs': 'extern "C" { fn taken(x: i32); }\nimpl T for &str { fn a(&self) {} }\nimpl T for u32 { fn b(&self) {} }\nimpl dyn T { fn c(&self) {} }\nimpl<X> T for m::Of<X> { fn d(&self) {} }\n' })
  const { symbols } = await value('symbol_map', {})
  expect((symbols as readonly { kind: string; name: string; container: string }[]).map(({ kind, name, container }) => `${kind} ${container}.${name}`)).toEqual(['function .taken', 'method &str.a', 'method u32.b', 'method dyn T.c', 'method Of.d'])
})
