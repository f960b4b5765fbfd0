import { expect, it } from 'vitest'
import { askedWorld } from './hits.fixture.ts'

const policy = (...grants: object[]) => ({ authzPolicy: JSON.stringify({ grants }) })
const ingest = { subject: '*', actions: ['ingest'], kinds: ['table'], prefix: 'doc_chunks' }

it('is not in the default grants', async () => {
  const { app, call, asked } = askedWorld({ settings: { authEnabled: true, serverPublicUrl: 'https://a.example/mcp', oauthIssuer: 'https://i.example/', oauthAudience: 'https://a.example/mcp', oauthJwksUri: 'https://i.example/jwks' } })
  expect(await call('doc_index', { collection: 'doc_chunks' }, app.callerOf('acme', ['vector:write']))).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
  expect(asked).toEqual([])
})

it('asks of each document whether the caller may read it, and says when nothing changed', async () => {
  const { call, asked } = askedWorld({ settings: policy(ingest, { subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open.md' }) })
  expect(await call('doc_index', { collection: 'doc_chunks', path_prefix: 'a/' })).toMatchObject({
    is: 'ok', answer: { value: { collection: 'doc_chunks', files_indexed: 1, chunks_written: 0, chunks_reused: 2, truncated: false, summary: expect.stringMatching(/^Nothing changed.*a-model:3/) } },
  })
  expect(asked).toEqual([{ how: 'index', collection: 'doc_chunks', tenant: 'acme', prefix: 'a/', mayRead: [true, false] }])
})

it('needs a grant for that very collection', async () => {
  const { call } = askedWorld({ settings: policy(ingest) })
  expect(await call('doc_index', { collection: 'doc_chunks_old' })).toMatchObject({ is: 'refused', refusal: { code: 'access.denied' } })
})
