/** Whose chunks a caller can reach: its own, whatever it sends. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantOf } from '../../src/kernel/owner.ts'
import { sideChannelRounds } from './side-channel.ts'
import type { DataWorld } from './world.ts'
import { hitsIn, openDataWorld, refusedAs } from './world.ts'

const collection = 'doc_chunks'
let world: DataWorld
const index = async (subject: string, documents: Readonly<Record<string, string>>) => {
  world.documents.clear()
  for (const [path, text] of Object.entries(documents)) world.documents.set(path, { text })
  await world.value('doc_index', { collection }, world.caller(subject))
}
beforeAll(async () => {
  world = await openDataWorld({ pgvectorCollections: ['doc_chunks', 'near_chunks', 'far_chunks'] })
  await index('acme', { 'a1.md': 'acme plan', 'a2.md': 'acme notes' })
  await index('beta', { 'b1.md': 'beta plan', 'b2.md': 'beta plan beta plan', 'a1.md': 'what beta says of the same name' })
}, 120_000)
afterAll(() => world.close())

const seen = async (query: string, more: object = {}, subject = 'acme'): Promise<readonly (string | null)[]> =>
  hitsIn(await world.value('hybrid_query', { collection, query, ...more }, world.caller(subject))).map(({ source }) => source).sort()

describe('a caller that asks for another tenant', () => {
  it.each([
    ['a filter', { filter: { tenant: 'beta' } }],
    ['a filter in other spelling', { filter: { tenant_id: 'beta' } }],
    ['one of two tenants', { filter: { $or: [{ tenant: 'acme' }, { tenant: 'beta' }] } }],
    ['a list of tenants', { filter: { tenant: { $in: ['acme', 'beta'] } } }],
    ['no tenant', { filter: { tenant: null } }],
    ['an expression', { filter: { tenant: { $regex: '.*' } } }],
    ['a script', { filter: { $where: 'true' } }],
    ['a key that breaks out', { filter: { 'x": 1 or "1': '1' } }],
    ['SQL in a value', { filter: { topic: "' OR 1=1 --" } }],
    ['the prototype', { filter: JSON.parse('{"__proto__":{"tenant":"beta"}}') as object }],
    ['a tenant of its own accord', { tenant: 'beta' }],
    ['a tenant in other case', { TENANT: 'beta' }],
    ['arguments inside arguments', { args: { tenant: 'beta' } }],
    ['a count of all', { mode: 'count' }],
    ['a document by its id', { get: 'b1' }],
    ['a deletion', { delete: 'b1' }],
    ['an insertion', { insert: { id: 'b1', text: 'overwritten' } }],
  ])('is refused with %s', async (_what, more) => {
    for (const name of ['hybrid_query', 'vector_query']) {
      expect(await world.call(name, { collection, query: 'beta plan', ...more })).toMatchObject(refusedAs('input.invalid'))
    }
    expect(await world.call('doc_index', { collection, ...more })).toMatchObject(refusedAs('input.invalid'))
  })

  it.each(['../beta', 'beta.doc_chunks', 'doc_chunks_of_beta', 'arrowhead.doc_chunks', 'doc_chunks where true'])('is refused the collection %j', async (name) => {
    expect(await world.call('hybrid_query', { collection: name, query: 'plan' })).toMatchObject(refusedAs('data.collection'))
  })

  it('is never given rows of others to fill up what it asked for', async () => {
    expect(await seen('beta plan', { k: 50 })).toEqual(['a1.md', 'a2.md'])
    expect(await world.call('hybrid_query', { collection, query: 'plan', k: 100 })).toMatchObject(refusedAs('data.limit'))
  })

  it('finds nothing of them by naming them, by quotes, or by nothing at all', async () => {
    for (const query of ['tenant beta', 'O\'Brien "quoted"', 'nothing like this', "beta' or '1'='1"]) expect(await seen(query, { k: 3 })).toEqual(['a1.md', 'a2.md'])
  })

  it('finds nothing under a subject that only looks like theirs', async () => {
    for (const subject of ['Beta', 'beta ', 'bet_', 'bet%', '*', 'b\u0435ta', 'beta\0']) expect(await world.vectors.fused({ collection, tenant: subject, query: 'beta plan', k: 5, signal: new AbortController().signal })
      .then(({ hits }) => hits.length, ({ code, sqlState }: { code?: string; sqlState?: string }) => code ?? sqlState)).toBeOneOf([0, '22021'])
  })
})

it('the operator of this machine and a token that calls itself local are two', async () => {
  const local = world.test.app.local
  world.documents.clear()
  world.documents.set('mine.md', { text: 'what the operator keeps' })
  await world.value('doc_index', { collection }, local)
  expect(hitsIn(await world.value('hybrid_query', { collection, query: 'what the operator keeps', k: 5 }, local)).map(({ source }) => source)).toEqual(['mine.md'])
  for (const subject of ['local', 's:local', 's:s:local']) expect(await seen('what the operator keeps', { k: 5 }, subject)).toEqual([])
  world.documents.set('theirs.md', { text: 'what the token keeps' })
  await world.value('doc_index', { collection }, world.caller('local'))
  expect(await seen('what the token keeps', { k: 5 }, 's:local')).toEqual([])
  expect(await seen('what the token keeps', { k: 5 }, 'local')).toEqual(['mine.md', 'theirs.md'])
})

it('a caller without a name has no tenant and is refused', async () => {
  const nobody = { collection, tenant: '', query: 'plan', k: 1, signal: new AbortController().signal }
  await expect(world.vectors.fused(nobody)).rejects.toMatchObject({ code: 'access.denied' })
  await expect(world.vectors.near({ ...nobody, embedding: [1] })).rejects.toMatchObject({ code: 'access.denied' })
  await expect(world.vectors.index({ ...nobody, prefix: '', progress: () => {}, mayRead: () => true })).rejects.toMatchObject({ code: 'access.denied' })
})

it('a tenant is the subject of the token as it stands, and no two callers share one', () => {
  const callers = ['acme', 'local', 's:local', 's:', 's:s:local', 'S:local', ' local'].map(world.caller)
  const tenants = [world.test.app.local, ...callers].map(tenantOf)
  expect(tenants).toEqual(['local', 'acme', 's:local', 's:s:local', 's:s:', 's:s:s:local', 'S:local', ' local'])
  expect(new Set(tenants).size).toBe(tenants.length)
  expect(() => tenantOf(world.caller(''))).toThrow(expect.objectContaining({ code: 'access.denied' }))
})

it('two tenants index documents of one name without touching each other', async () => {
  expect(await seen('what beta says', { k: 50 }, 'beta')).toEqual(['a1.md', 'b1.md', 'b2.md'])
  await index('acme', { 'a1.md': 'acme plan, changed' })
  expect(await seen('what beta says', { k: 50 }, 'beta')).toEqual(['a1.md', 'b1.md', 'b2.md'])
  expect(await seen('plan', { k: 50 })).toEqual(['a1.md'])
  await index('acme', { 'a1.md': 'acme plan', 'a2.md': 'acme notes' })
})

it('what another tenant stored changes neither hits nor scores nor counts', async () => {
  const { answersDiffer } = await sideChannelRounds(world, { queries: 40, rows: 200 })
  expect(answersDiffer).toBe(0)
}, 120_000)
