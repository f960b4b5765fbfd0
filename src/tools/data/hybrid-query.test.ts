import { expect, it } from 'vitest'
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
