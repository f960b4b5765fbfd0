import { expect, it } from 'vitest'
import { askedWorld } from './hits.fixture.ts'

it('asks for the caller and nobody else, and cites each hit', async () => {
  const { call, asked } = askedWorld()
  expect(await call('vector_search', { collection: 'doc_chunks', embedding: [1, 0, 0], k: 3 })).toMatchObject({
    is: 'ok',
    answer: { value: {
      notice: expect.any(String), content: expect.stringContaining('A passage.'),
      metadata: { collection: 'doc_chunks', count: 1, recall: 'vector', embedding: null, truncated: false, hits: [{ source: 'a.md', chunk_index: 2, start_line: 5, end_line: 9, score: 0.5, indexed_at: '2026-01-02T03:04:05.000Z', stale: false }] },
    } },
  })
  expect(asked).toEqual([{ how: 'near', collection: 'doc_chunks', tenant: 'acme', embedding: [1, 0, 0], k: 3 }])
})

it.each([
  ['a tenant', { tenant: 'beta' }],
  ['a filter', { filter: { tenant: 'beta' } }],
  ['a condition', { where: 'true' }],
  ['too few hits', { k: 0 }],
  ['half a hit', { k: 1.5 }],
  ['words for numbers', { embedding: ['1'] }],
])('takes no %s', async (_what, more) => {
  const { call, asked } = askedWorld()
  expect(await call('vector_search', { collection: 'doc_chunks', embedding: [1, 0, 0], ...more })).toMatchObject({ is: 'refused', refusal: { code: 'input.invalid' } })
  expect(asked).toEqual([])
})
