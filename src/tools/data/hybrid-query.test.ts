import { expect, it } from 'vitest'
import type { Found } from '../../kernel/ports/vectors.ts'
import { FOUND, askedWorld } from './hits.fixture.ts'

it('asks for the caller alone and numbers the passages', async () => {
  const found = { hits: [...FOUND.hits, ...FOUND.hits], truncated: true }
  const { call, asked } = askedWorld({ found })
  expect(await call('hybrid_query', { collection: 'doc_chunks', query: 'refund window', k: 2 })).toMatchObject({
    is: 'ok', answer: { value: { metadata: { recall: 'semantic+keyword', count: 2, truncated: true }, content: expect.stringContaining('[1]\nA passage.\n\n[2]\nA passage.') } },
  })
  expect(asked).toEqual([{ how: 'fused', collection: 'doc_chunks', tenant: 'acme', query: 'refund window', k: 2 }])
})

it('cleans what a document says, its name too', async () => {
  const [hit] = FOUND.hits
  const found = { hits: hit ? [{ ...hit, source: 'a\u001b[31m.md', content: 'x\u202ey' }] : [], truncated: false }
  const text = JSON.stringify(await askedWorld({ found }).call('hybrid_query', { collection: 'doc_chunks', query: 'x' }))
  expect(text).not.toMatch(/\\u001b|\u202e/)
})

it.each([['vector_query', { query: 'x' }], ['hybrid_query', { query: 'x' }], ['vector_search', { embedding: [1, 2, 3] }]])('%s shows no chunk of a document that the caller may no longer read, and every one of other writers', async (name, asked) => {
  const grants = [{ subject: '*', actions: ['query'], kinds: ['table'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open' }]
  const hitOf = (source: string | null, stale: boolean | null) => ({ ...FOUND.hits[0], source, stale, content: `text of ${source}` }) as Found['hits'][number]
  const found = { truncated: false, hits: [hitOf('hr/pay.md', true), hitOf('open/a.md', false), hitOf('ticket-7', null), hitOf(null, null)] }
  const { call } = askedWorld({ found, settings: { authzPolicy: JSON.stringify({ grants }) } })
  const outcome = await call(name, { collection: 'doc_chunks', ...asked })
  expect(outcome).toMatchObject({ is: 'ok', answer: { value: { metadata: { count: 3, hits: [{ source: 'open/a.md' }, { source: 'ticket-7' }, { source: null }] } } } })
  expect(JSON.stringify(outcome)).not.toContain('hr/pay.md')
})
