import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database, SqlInput } from '../../src/kernel/ports/database.ts'
import { StatementError } from '../../src/kernel/ports/database.ts'
import { vectorsOver } from './vectors-over.ts'
import type { DataWorld } from './world.ts'
import { hitsIn, openDataWorld } from './world.ts'

const collection = 'doc_chunks'
/** Names that begin alike, for longer than the name of a part repeats them. */
const LONG = ['customer_support_conversations_eu', 'customer_support_conversations_us'] as const
const owner = { role: 'owner', timeoutMs: 120_000 } as const
let world: DataWorld
beforeAll(async () => {
  world = await openDataWorld({ pgvectorCollections: [collection, 'other_chunks', ...LONG], vectorIndexChunkMaxChars: 200, vectorIndexChunkOverlap: 0, vectorIndexMaxFiles: 3000 })
  await world.value('vector_query', { collection, query: 'anything' })
}, 120_000)
afterAll(() => world.close())

const cells = async (sql: string, values: readonly SqlInput[] = []): Promise<readonly (string | null | undefined)[]> => (await world.database.query({ sql, values }, owner)).rows.map(([cell]) => cell)
/** The one search index of a tenant's part, by the number of its object. */
const indexOf = async (tenant: string) => (await cells('select (select i from arrowhead.search_indexes_of(arrowhead.part_of($1, $2)) i)::oid', [collection, tenant]))[0]
/** Writes onto the index what is remembered of its first size. */
const comment = (text: string) =>
  cells(`do $$ begin execute format('comment on index %s is %L', (select arrowhead.search_indexes_of(arrowhead.part_of('${collection}', '${tenant}'))), '${text}'); end $$`)
/** One more, as an operator would make it. */
const another = () => cells(`do $$ begin execute format('create index on %s using hnsw (embedding vector_cosine_ops)', arrowhead.part_of('${collection}', '${tenant}')); end $$`)
const planOf = async (tenant: string): Promise<string> => {
  const sql = `explain select id from arrowhead.${collection} where tenant = $1 order by embedding <=> $2::real[]::vector limit 10`
  return (await world.database.query({ sql, values: [tenant, new Float32Array(64).fill(1)] }, { role: 'searcher' })).rows.flat().join('\n')
}

let count = 0
let tenant = ''
beforeEach(() => {
  world.documents.clear()
  tenant = `reader${++count}`
})
const document = (at: number, version = '') => world.documents.set(`${String(at).padStart(5, '0')}.txt`, { text: `paper ${at} of shelf ${at % 50} is about ${at * at} things ${version}` })
const reindex = () => world.value('doc_index', { collection }, world.caller(tenant))
const fill = async (documents: number): Promise<void> => {
  for (let at = 0; at < documents; at += 1) document(at)
  await reindex()
}

describe('the search index of a tenant', () => {
  it('is there once the part is large, finds what is nearest, and a small part is read instead', async () => {
    await fill(300)
    expect(await indexOf(tenant)).toBeNull()
    await fill(2100)
    expect(await indexOf(tenant)).not.toBeNull()
    expect(await planOf(tenant)).toMatch(/Index Scan using \S*embedding_idx/)
    const hits = hitsIn(await world.value('vector_query', { collection, query: 'paper 1234 of shelf 34 is about 1522756 things', k: 3 }, world.caller(tenant)))
    expect(hits[0]).toMatchObject({ source: '01234.txt', score: expect.closeTo(1, 4) })
  })

  it('is built by the next run where one ended before it was there, although nothing has changed', async () => {
    for (let at = 0; at < 2100; at += 1) document(at)
    const leaving = new AbortController()
    const progress = (_done: number, _total?: number, said = ''): void => void (said.startsWith('2100 chunks written') && leaving.abort(new Error('left')))
    const run = { collection, tenant, prefix: '', signal: leaving.signal, progress, mayRead: () => true }
    await expect(world.vectors.index(run)).rejects.toThrow('left')
    expect(await indexOf(tenant)).toBeNull()
    expect(await reindex()).toMatchObject({ chunks_written: 0, chunks_reused: 2100 })
    expect(await indexOf(tenant)).not.toBeNull()
  })

  it('is built at the end of a run that fails, of what was written until then', async () => {
    await fill(2100)
    const first = await indexOf(tenant)
    for (let at = 0; at < 900; at += 1) document(at, 'new')
    const mayRead = (path: string): boolean => {
      if (path === '01000.txt') throw new Error('no answer')
      return true
    }
    const run = { collection, tenant, prefix: '', signal: new AbortController().signal, progress: () => {}, mayRead }
    await expect(world.vectors.index(run)).rejects.toThrow('no answer')
    const second = await indexOf(tenant)
    expect(second).not.toBeNull()
    expect(second).not.toBe(first)
  })

  it('is asked for once by a run that finds the part in use', async () => {
    let asked = 0
    const query: Database['query'] = async (statement, session) => {
      if (!statement.sql.includes('loosen_tenant')) return world.database.query(statement, session)
      asked += 1
      throw new StatementError('55P03', 'busy')
    }
    const vectors = vectorsOver({ query, transaction: (...given) => world.database.transaction(...given), migrate: (given) => world.database.migrate(given), close: async () => {} }, 1000)
    await expect(vectors.index({ collection, tenant, prefix: '', signal: new AbortController().signal, progress: () => {}, mayRead: () => true })).resolves.toMatchObject({ chunksWritten: 1000 })
    expect(asked).toBe(1)
  })

  it('is kept when little changes, built anew when much does, and gone when the part is emptied', async () => {
    await fill(2100)
    const first = await indexOf(tenant)
    for (let at = 0; at < 220; at += 1) document(at, 'new')
    await reindex()
    expect(await indexOf(tenant)).toBe(first)
    for (let at = 0; at < 900; at += 1) document(at, 'newer')
    expect(await reindex()).toMatchObject({ chunks_written: 900 })
    const second = await indexOf(tenant)
    expect(second).not.toBeNull()
    expect(second).not.toBe(first)
    await world.database.query({ sql: 'select arrowhead.empty_tenant($1, $2)', values: [collection, tenant] }, { role: 'writer' })
    expect(await indexOf(tenant)).toBeNull()
    expect(await cells(`select count(*) from arrowhead.${collection} where tenant = $1`, [tenant])).toEqual(['0'])
  })

  it('is made anew once it has grown to twice its first size', async () => {
    await fill(2100)
    const first = await indexOf(tenant)
    await reindex()
    expect(await indexOf(tenant)).toBe(first)
    const [size] = await cells('select pg_relation_size($1::oid)', [first ?? null])
    await comment(String(Math.floor(Number(size) / 2) - 1))
    await reindex()
    const second = await indexOf(tenant)
    expect(second).not.toBeNull()
    expect(second).not.toBe(first)
  })

  it('is made anew where it was not made here, and one of several is kept', async () => {
    await fill(2100)
    const first = await indexOf(tenant)
    await another()
    await reindex()
    expect(await indexOf(tenant)).toBe(first)
    await comment('made by hand')
    await reindex()
    const second = await indexOf(tenant)
    expect(second).not.toBeNull()
    expect(second).not.toBe(first)
    await reindex()
    expect(await indexOf(tenant)).toBe(second)
  })

  it('is taken away with every other of its part', async () => {
    await fill(2100)
    await another()
    await another()
    await world.database.query({ sql: 'select arrowhead.loosen_tenant($1, $2, 2100)', values: [collection, tenant] }, { role: 'writer' })
    expect(await indexOf(tenant)).toBeNull()
  })

  it('finds as many as there are where the same rows were replaced again and again', async () => {
    await fill(2100)
    // Rows with one and the same vector share a place in the index, so each round has vectors of its own.
    const replace = `update arrowhead.${collection} set embedding = embedding + array_fill($2::real, array[64])::vector where tenant = $1 and source = '00003.txt'`
    for (let round = 0; round < 400; round += 1) await world.database.query({ sql: replace, values: [tenant, 0.00001] }, { role: 'writer' })
    expect(await planOf(tenant)).toMatch(/embedding_idx/)
    const hits = hitsIn(await world.value('vector_query', { collection, query: 'paper 3 of shelf 3 is about 9 things', k: 20 }, world.caller(tenant)))
    expect(hits.length).toBe(20)
  })

  it("belongs to the tenant alone: one that fills its part leaves the other's as it was", async () => {
    await fill(2100)
    const [mine, first] = [tenant, await indexOf(tenant)]
    tenant = `${mine}-other`
    world.documents.clear()
    await fill(20)
    expect(await indexOf(tenant)).toBeNull()
    expect(await indexOf(mine)).toBe(first)
  })
})

describe('the part of a tenant', () => {
  const partOf = async (name: string) => (await cells('select arrowhead.part_of($1, $2)', [name, tenant]))[0]
  const rowsOf = async (name: string) => cells(`select count(*) from arrowhead.${name} where tenant = $1`, [tenant])
  const openAsBefore = (name: string) => cells(`do $$ begin execute format('create table arrowhead.%I partition of arrowhead.${name} for values in (%L)',
    left('${name}', 30) || '_of_' || left(encode(sha256(convert_to('${tenant}', 'UTF8')), 'hex'), 24), '${tenant}'); end $$`)

  it.each(['opened now', 'opened by an earlier version'])("is the collection's own where another's name begins alike, %s", async (opened) => {
    if (opened !== 'opened now') await openAsBefore(LONG[0])
    document(1)
    for (const name of LONG) await world.value('doc_index', { collection: name }, world.caller(tenant))
    const parts = await Promise.all(LONG.map(partOf))
    expect(new Set(parts).size).toBe(2)
    expect(parts).not.toContain(null)
    await world.database.query({ sql: 'select arrowhead.empty_tenant($1, $2)', values: [LONG[1], tenant] }, { role: 'writer' })
    expect(await Promise.all(LONG.map(rowsOf))).toEqual([['1'], ['0']])
  })

  it('is found by its old name, and by no other collection', async () => {
    await openAsBefore(LONG[0])
    expect(await partOf(LONG[0])).toMatch(/^customer_support_conversations_of_/)
    expect(await partOf(LONG[1])).toBeNull()
    const before = await partOf(LONG[0])
    document(1)
    await world.value('doc_index', { collection: LONG[0] }, world.caller(tenant))
    expect(await partOf(LONG[0])).toBe(before)
  })
})

it('is never there for vectors that are too wide for one', async () => {
  const wide = await world.again({ pgvectorCollections: ['wide_chunks'], embeddingDimensions: 2001, pgvectorMaxDimensions: 4000 })
  for (const [name, data, made] of [['wide_chunks', wide, false], [collection, world, true]] as const) {
    world.documents.set('a.txt', { text: 'apples' })
    await data.value('doc_index', { collection: name }, data.caller(tenant))
    // The part seems large to whoever asks what is known of it.
    await cells('update pg_class set reltuples = 5000, relpages = 1000 where oid = arrowhead.part_of($1, $2)', [name, tenant])
    await cells('select arrowhead.settle_tenant($1, $2, 0)', [name, tenant])
    expect(await cells('select exists (select arrowhead.search_indexes_of(arrowhead.part_of($1, $2)))', [name, tenant])).toEqual([made ? 't' : 'f'])
  }
})

describe('the rights to it', () => {
  const as = (role: 'writer' | 'searcher', sql: string) => world.database.query({ sql }, { role })

  it.each([
    'drop table arrowhead.doc_chunks', 'truncate arrowhead.doc_chunks', 'create index on arrowhead.doc_chunks (id)', "select arrowhead.part_of('doc_chunks', 'x')", "select arrowhead.take_part('doc_chunks', 'x')",
    "select arrowhead.drop_search_indexes('arrowhead.doc_chunks', null)",
  ])('a writer may not: %s', async (sql) => {
    await expect(as('writer', sql)).rejects.toMatchObject({ sqlState: '42501' })
  })

  it.each(["select arrowhead.settle_tenant('doc_chunks', 'x', 1)", "select arrowhead.loosen_tenant('doc_chunks', 'x', 1)", "select arrowhead.empty_tenant('doc_chunks', 'x')"])('a searcher may not: %s', async (sql) => {
    await expect(as('searcher', sql)).rejects.toMatchObject({ sqlState: '42501' })
  })

  it('no table is touched but the part of a collection that is listed', async () => {
    await cells("create table if not exists arrowhead.precious as select 1 as one")
    for (const name of ['precious', 'fillings', 'doc_chunks"; drop table arrowhead.precious; --']) {
      for (const call of ['settle_tenant($1, $2, 1)', 'loosen_tenant($1, $2, 1)', 'empty_tenant($1, $2)']) {
        await world.database.query({ sql: `select arrowhead.${call}`, values: [name, "x'; drop table arrowhead.precious; --"] }, { role: 'writer' })
      }
    }
    expect(await cells('select one from arrowhead.precious')).toEqual(['1'])
  })
})

it('a collection of an earlier version loses the index that was kept row by row, and keeps its rows', async () => {
  await world.database.transaction([
    { sql: 'create index old_nearest on arrowhead.other_chunks using hnsw (embedding vector_cosine_ops)' },
    { sql: "delete from arrowhead.migrations where name = 'vectors.search-index'" },
  ], owner)
  world.documents.set('a.txt', { text: 'apples' })
  const later = await world.again({})
  await later.value('doc_index', { collection: 'other_chunks' }, later.caller('old'))
  expect(await cells("select relname from pg_class where relname ~ '^old_nearest|other_chunks.*embedding'")).toEqual([])
  const hits = hitsIn(await later.value('vector_query', { collection: 'other_chunks', query: 'apples', k: 1 }, later.caller('old')))
  expect(hits).toMatchObject([{ source: 'a.txt' }])
})
