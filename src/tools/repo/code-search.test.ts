import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, repoWorld } from '../../testing/repo-world.fixture.ts'

const paths = (value: Readonly<Record<string, unknown>>): readonly string[] => (value['matches'] as readonly { readonly path: string }[]).map(({ path }) => path)

it('finds lines in any case, with their places, and says which state of which files it saw', async () => {
  const { value, put } = repoWorld({ 'src/a.ts': 'one\nconst Needle = 1\n', 'b.md': 'none\n' })
  const first = await value('code_search', { query: 'needle' })
  expect(first).toMatchObject({
    query: 'needle', match_count: 1, truncated: false, limit: 'none', files_seen: 2, skipped: '',
    matches: [{ path: 'src/a.ts', line: 2, snippet: 'const Needle = 1' }],
  })
  expect(await value('code_search', { query: 'other' })).toMatchObject({ match_count: 0, tree_state: first['tree_state'] })
  put('b.md', 'changed\n')
  expect((await value('code_search', { query: 'needle' }))['tree_state']).not.toBe(first['tree_state'])
})

it('says what it left out and why, and a limit that ended it', async () => {
  const { value } = repoWorld(
    { 'a.ts': 'x', 'b.ts': Buffer.from([0x78, 0, 0x78]), 'c.ts': Buffer.from([0xff, 0xfe, 0x78, 0]), 'd.ts': 'x'.repeat(2000), 'e.exe': 'x', 'f.ts': 'x', '.gitignore': 'f.ts\nout/\n', 'out/g.ts': 'x' },
    { settings: { repoMaxFileBytes: 1000 } },
  )
  expect(await value('code_search', { query: 'x' })).toMatchObject({
    match_count: 1, files_seen: 4, truncated: false,
    skipped: 'binary 1, encoding 1, extension 2, ignored 2, too-large 1',
  })
  const few = repoWorld({ 'a.ts': 'x', 'b.ts': 'x' }, { settings: { repoSearchMaxFiles: 1 } })
  expect(await few.value('code_search', { query: 'x' })).toMatchObject({ match_count: 1, files_seen: 1, truncated: true, limit: 'files' })
  const one = repoWorld({ 'a.ts': 'x\nx\n' }, { settings: { searchMaxResults: 1 } })
  expect(await one.value('code_search', { query: 'x' })).toMatchObject({ match_count: 1, truncated: true, limit: 'results' })
})

it('counts nothing of excluded folders and of credentials', async () => {
  const { value } = repoWorld({ 'a.ts': 'x', 'sub/.git/config.md': 'x', 'deep/node_modules/m/i.js': 'x', '.GIT/b.ts': 'x', 'tls/server.pem': 'x', '.ssh/a.md': 'x', '.env': 'x' })
  const found = await value('code_search', { query: 'x' })
  expect(found).toMatchObject({ match_count: 1, files_seen: 1, skipped: '' })
  for (const path_prefix of ['sub/.git/', 'deep/node_modules/m/', '.ssh/', '.env']) expect(await value('code_search', { query: 'x', path_prefix })).toMatchObject({ match_count: 0, files_seen: 0, skipped: '' })
})

it('is the same answer whether a file that the caller may not read is there or not', async () => {
  const policy = { authorizer: { allows: (_caller: unknown, { kind, id }: { kind: string; id: string }) => kind !== 'repo_file' || !id.startsWith('secret') } }
  const files = { 'a.ts': 'x', 'b.ts': 'x', '.gitignore': 'gone\n' }
  const open = repoWorld(files, { settings: { repoSearchMaxFiles: 2 }, options: { replace: policy } })
  const before = await open.value('code_search', { query: 'x' })
  for (const path of ['secret/a.ts', 'secret/b.exe', 'secret/gone/c.ts', 'secret.ts']) open.put(path, 'x'.repeat(10))
  open.put('secret/d.ts', Buffer.from([0, 1]))
  expect(await open.value('code_search', { query: 'x' })).toEqual({ ...before })
  expect(before).toMatchObject({ match_count: 2, truncated: false })
})

it('shows no credential, and does not tell by hitting how it goes on', async () => {
  const token = ['gh', 'p_', '7SRW6Wnx9GVgDdvJOdmxrCw7jOo4DUPzMKZT'].join('')
  const key = ['-----BEGIN ', 'PRIVATE KEY-----\n', 'gpM5a6zr40D8MdVXUwYfcQraq7SlKZbigDKmFQeye3CrgajM0RZMYF78kYwrdld5\n', '-----END ', 'PRIVATE KEY-----'].join('')
  const { value } = repoWorld({ 'a.ts': `// about\nconst t = "${token}" // about\nconst ok = 1\n`, 'k.txt': `before\n${key}\nabout\n` })
  const found = await value('code_search', { query: 'about' })
  expect(found).toMatchObject({ matches: [{ line: 1 }, { line: 2, snippet: expect.stringMatching(/^const t = "\[REDACTED:.*\]" \/\/ about$/) }, { path: 'k.txt', line: 5 }] })
  for (const query of [token, token.slice(0, 8), 'gpM5a6zr40', 'FQeye3']) expect(await value('code_search', { query })).toMatchObject({ match_count: 0 })
})

it('follows a link in the prefix to where it leads inside, and no other', async () => {
  const { value, root, call } = repoWorld({ 'real/a.ts': 'x', '.env': 'x', 'outside/../b.ts': 'x' })
  symlinkSync('real', join(root, 'link'))
  symlinkSync('/etc', join(root, 'out'))
  symlinkSync('.env', join(root, 'env.ts'))
  expect(paths(await value('code_search', { query: 'x', path_prefix: 'link' }))).toEqual(['real/a.ts'])
  expect(paths(await value('code_search', { query: 'x' }))).toEqual(['b.ts', 'real/a.ts'])
  for (const path_prefix of ['out', 'env.ts']) expect(await value('code_search', { query: '', path_prefix }).catch(() => ({ match_count: 0 }))).toMatchObject({ match_count: 0 })
  for (const path_prefix of ['../', '/etc', 'a\0', 'a/../../b']) expect(codeOf(await call('code_search', { query: 'x', path_prefix }))).toBe('path.invalid')
})

it('takes expressions only where the operator allows them, and refuses what is no query', async () => {
  const closed = repoWorld({ 'a.ts': 'abc' })
  expect(codeOf(await closed.call('code_search', { query: 'a.c', use_regex: true }))).toBe('search.pattern')
  const open = repoWorld({ 'a.ts': 'abc' }, { settings: { searchRegexEnabled: true } })
  expect(await open.value('code_search', { query: 'a.c', use_regex: true })).toMatchObject({ match_count: 1 })
  for (const [query, code] of [['', 'input.invalid'], ['(', 'search.pattern'], ['a\nb', 'input.invalid'], ['(?=a)', 'search.pattern']]) expect(codeOf(await open.call('code_search', { query, use_regex: true }))).toBe(code)
})

it('refuses when there is no tree, rather than finding nothing', async () => {
  const { call } = repoWorld({}, { settings: { repoRoot: '/nonexistent/tree' } })
  for (const name of ['code_search', 'symbol_map', 'dependency_graph']) expect(codeOf(await call(name, name === 'code_search' ? { query: 'x' } : {}))).toBe('file.unavailable')
})
