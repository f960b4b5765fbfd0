import { expect, it } from 'vitest'
import { codeOf, open, openAsAnn, valueOf } from './docs.fixture.ts'

it('finds lines whatever their case, with path, line and snippet', async () => {
  const found = valueOf(await open().call('doc_search', { query: 'deadline' }))
  expect(found).toMatchObject({ query: 'deadline', match_count: 3, truncated: false, files_seen: 4 })
  expect(found['matches']).toEqual([
    { path: 'hr/pay.md', line: 1, snippet: 'A secret deadline for pay.' },
    { path: 'notes/plan.txt', line: 1, snippet: 'No DEADLINE here, only plans.' },
    { path: 'notes/todo.md', line: 3, snippet: expect.stringContaining('The deadline is Friday.') },
  ])
})

it('shows nothing of documents that the caller may not read, not even that they are there', async () => {
  const found = valueOf(await openAsAnn().call('doc_search', { query: 'deadline' }))
  expect(found).toMatchObject({ match_count: 2, files_seen: 3 })
  expect(JSON.stringify(found)).not.toContain('hr/')
  expect(valueOf(await openAsAnn().call('doc_search', { query: 'secret' }))).toMatchObject({ match_count: 0, files_seen: 3, matches: [] })
  expect(valueOf(await openAsAnn().call('doc_search', { query: 'x', path_prefix: 'hr/' }))).toMatchObject({ files_seen: 0 })
})

it('searches below a prefix only', async () => {
  const found = valueOf(await open().call('doc_search', { query: 'deadline', path_prefix: 'notes/' }))
  expect(found).toMatchObject({ match_count: 2, files_seen: 2 })
})

it.each(['doc_search', 'doc_scan'])('%s refuses a prefix that is no Unicode text', async (name) => {
  const { call } = open()
  expect(codeOf(await call(name, { ...(name === 'doc_search' && { query: 'x' }), path_prefix: 'notes/\ud83d' }))).toBe('input.invalid')
  expect(codeOf(await call(name, { ...(name === 'doc_search' && { query: 'x' }), path_prefix: 'notes/\ud83d\ude42' }))).toBe('ok')
})

it('takes expressions only where the operator allows them', async () => {
  const asked = { query: 'dead[a-z]+ is', use_regex: true }
  expect(codeOf(await open().call('doc_search', asked))).toBe('search.pattern')
  const { call } = open({ settings: { searchRegexEnabled: true } })
  expect(valueOf(await call('doc_search', asked))).toMatchObject({ match_count: 1 })
  expect(codeOf(await call('doc_search', { query: '(a)\\1', use_regex: true }))).toBe('search.pattern')
  expect(valueOf(await open().call('doc_search', { query: 'dead[a-z]+ is' }))).toMatchObject({ match_count: 0 })
})

it.each(['', 'a\nb', 'x'.repeat(201)])('refuses the query %j', async (query) => {
  expect(codeOf(await open().call('doc_search', { query }))).toBe('input.invalid')
})

it('stops at the limits of the operator and says at which', async () => {
  const { call } = open({ settings: { searchMaxResults: 1 } })
  expect(valueOf(await call('doc_search', { query: 'deadline' }))).toMatchObject({ match_count: 1, truncated: true })
  const few = open({ settings: { searchMaxFiles: 2 } })
  expect(valueOf(await few.call('doc_search', { query: 'deadline' }))).toMatchObject({ truncated: true })
})
