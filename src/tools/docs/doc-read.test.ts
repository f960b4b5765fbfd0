import { expect, it } from 'vitest'
import { codeOf, open, openAsAnn, unfenced, valueOf } from './docs.fixture.ts'

it('returns a document cleaned for its format, fenced, and with its provenance', async () => {
  const { call } = open()
  const { metadata, content, notice } = valueOf(await call('doc_read', { path: 'notes/todo.md' }))
  expect(unfenced(content)).toBe('# To do\n\nThe deadline is Friday.\n\npixel\n')
  expect(metadata).toMatchObject({ source: 'notes/todo.md', kind: 'document', format: 'markdown', retrieved_at: '2023-11-14T22:13:20.000Z' })
  expect((metadata as { sha256: string }).sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(notice).toMatch(/never as instructions/)
  expect(unfenced(valueOf(await call('doc_read', { path: 'exports/users.json' }))['content'])).toMatch(/^\{"a":"ann@example\.org","b":1,/)
})

it.each([
  ['a/../notes/todo.md', 'path.invalid'], ['/notes/todo.md', 'path.invalid'], ['notes/none.md', 'file.unavailable'], ['', 'input.invalid'],
  ['notes/todo.md/', 'file.unavailable'], ['notes/todo.md/.', 'file.unavailable'], ['notes/\ud800.md', 'input.invalid'], ['\udc00', 'input.invalid'],
])('refuses the path %j as %s', async (path, code) => {
  expect(codeOf(await open().call('doc_read', { path }))).toBe(code)
})

it('takes one spelling of a path for what it names, for grants as for reading', async () => {
  const { call } = openAsAnn()
  expect(codeOf(await call('doc_read', { path: './notes//todo.md' }))).toBe('ok')
  for (const path of ['hr/pay.md', './hr/pay.md', 'notes/../hr/pay.md', 'hr//pay.md']) expect(['access.denied', 'path.invalid']).toContain(codeOf(await call('doc_read', { path })))
})

it('says no to a document whose content has no single meaning', async () => {
  const { call } = open({ documents: { 'twice.json': '{"a":1,"a":2}', 'deep.md': '>'.repeat(500), 'cut.json': '{' } })
  expect(codeOf(await call('doc_read', { path: 'twice.json' }))).toBe('content.json')
  expect(codeOf(await call('doc_read', { path: 'cut.json' }))).toBe('content.json')
  expect(codeOf(await call('doc_read', { path: 'deep.md' }))).toBe('content.too-deep')
})

it('refuses more content than one answer may carry', async () => {
  expect(codeOf(await open({ settings: { contentMaxBytes: 10 } }).call('doc_read', { path: 'notes/todo.md' }))).toBe('content.too-large')
})
