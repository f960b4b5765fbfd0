import { expect, it } from 'vitest'
import { codeOf, open, openAsAnn, unfenced, valueOf } from './docs.fixture.ts'

it('doc:// reads as doc_read does: same text, same fence, same provenance, same refusals', async () => {
  const { call, dispatch } = openAsAnn()
  const resource = valueOf(await dispatch({ kind: 'resource', uri: 'doc://notes/todo.md' }))
  const tool = valueOf(await call('doc_read', { path: 'notes/todo.md' }))
  expect(unfenced(resource['text'])).toBe(unfenced(tool['content']))
  expect(resource['metadata']).toEqual(tool['metadata'])
  expect(resource['mimeType']).toBe('text/markdown')
  for (const path of ['hr/pay.md', './hr/pay.md', 'none.md', 'notes/../hr/pay.md']) {
    expect(codeOf(await dispatch({ kind: 'resource', uri: `doc://${path}` }))).toBe(codeOf(await call('doc_read', { path })))
  }
})

it('docs://index lists what the caller may read, as JSON that a program can parse', async () => {
  const { text } = valueOf(await openAsAnn().dispatch({ kind: 'resource', uri: 'docs://index' }))
  const { documents, truncated } = JSON.parse(String(text)) as { documents: readonly { path: string; uri: string; size: number }[]; truncated: boolean }
  expect(documents.map(({ path }) => path)).toEqual(['exports/users.json', 'notes/plan.txt', 'notes/todo.md'])
  expect(documents[1]).toMatchObject({ uri: 'doc://notes/plan.txt', size: 30 })
  expect(truncated).toBe(false)
})

it('the URIs of the index read the documents that they name, whatever the name', async () => {
  const names = ['a b.md', 'q?x#y.md', '100%.md', 'ünï/çode.md', 'a&b=c.md']
  const { dispatch } = open({ documents: Object.fromEntries(names.map((name) => [name, name])) })
  const { text } = valueOf(await dispatch({ kind: 'resource', uri: 'docs://index' }))
  const { documents } = JSON.parse(String(text)) as { documents: readonly { uri: string }[] }
  expect(documents).toHaveLength(names.length)
  for (const { uri } of documents) expect([uri, codeOf(await dispatch({ kind: 'resource', uri }))]).toEqual([uri, 'ok'])
})

it('a switched-off template takes every document below it along', async () => {
  const { dispatch } = open({ settings: { disabledResources: ['doc://{+path}'] } })
  expect(codeOf(await dispatch({ kind: 'resource', uri: 'doc://notes/todo.md' }))).toBe('component.unknown')
})
