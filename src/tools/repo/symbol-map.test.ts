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
