import { expect, it } from 'vitest'
import { askedWorld } from './hits.fixture.ts'

it('asks for the caller alone, ten hits unless told', async () => {
  const { call, asked } = askedWorld()
  expect(await call('vector_query', { collection: 'doc_chunks', query: 'why?' })).toMatchObject({ is: 'ok', answer: { value: { metadata: { recall: 'semantic', embedding: 'a-model:3' } } } })
  expect(asked).toEqual([{ how: 'alike', collection: 'doc_chunks', tenant: 'acme', query: 'why?', k: 10 }])
})

it('calls the search of an embedder without meaning what it is', async () => {
  const { call } = askedWorld({ semantic: false })
  expect(await call('vector_query', { collection: 'doc_chunks', query: 'why?' })).toMatchObject({ answer: { value: { metadata: { recall: 'lexical' } } } })
})

it('embeds nothing for a caller that may not query the collection', async () => {
  const authzPolicy = JSON.stringify({ grants: [{ subject: '*', actions: ['query'], kinds: ['table'], prefix: 'other' }] })
  const { call, asked } = askedWorld({ settings: { authzPolicy } })
  expect(await call('vector_query', { collection: 'doc_chunks', query: 'why?' })).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
  expect(asked).toEqual([])
})
