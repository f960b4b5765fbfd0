import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/ports/database.ts'
import { createDeterministicEmbedder } from '../../src/services/embedding/index.ts'
import { vectorsWith } from './vectors-over.ts'
import type { DataWorld } from './world.ts'
import { hitsIn, openDataWorld, refusedAs } from './world.ts'

const collection = 'doc_chunks'
let world: DataWorld
beforeAll(async () => {
  world = await openDataWorld({ pgvectorCollections: ['doc_chunks', 'other_chunks'] })
}, 120_000)
afterAll(() => world.close())

const lines = (count: number, word = 'line'): string => Array.from({ length: count }, (_, index) => `${word} ${index} ${'about something '.repeat(4)}`).join('\n\n')
const index = (prefix = '', subject = 'acme') => world.value('doc_index', { collection, path_prefix: prefix }, world.caller(subject))
const rowsOf = async (subject: string) =>
  (await world.database.query({ sql: 'select source, chunk_index, indexed_at::text, content from arrowhead.doc_chunks where tenant = $1 order by source, chunk_index', values: [subject] }, { role: 'searcher' })).rows

describe('doc_index', () => {
  let tenant = ''
  let count = 0
  beforeEach(() => {
    world.documents.clear()
    tenant = `indexer${++count}`
  })
  const reindex = (prefix = '') => index(prefix, tenant)

  it('indexes documents, so that they are found with where they stand and how fresh that is', async () => {
    world.documents.set('guide.md', { text: '# Guide\n\nWelcome.\n\n## Refunds\n\nA refund takes five working days to arrive.\n' })
    world.documents.set('notes.txt', { text: 'Nothing about money here.' })
    expect(await reindex()).toMatchObject({ collection, files_indexed: 2, chunks_reused: 0, truncated: false, summary: expect.stringContaining('Embedding: deterministic:1:64') })
    const value = await world.value('hybrid_query', { collection, query: 'refund days', k: 1 }, world.caller(tenant))
    expect(value).toMatchObject({ metadata: { count: 1, recall: 'lexical+keyword' }, content: expect.stringContaining('five working days') })
    expect(hitsIn(value)).toEqual([{ source: 'guide.md', chunk_index: 0, start_line: 1, end_line: 7, score: expect.any(Number), indexed_at: expect.stringMatching(/^\d{4}-.*Z$/), stale: false }])
  })

  it('changes nothing in a second run, and says so', async () => {
    world.documents.set('a.md', { text: lines(100) })
    const first = await reindex()
    const before = await rowsOf(tenant)
    expect(before.length).toBeGreaterThan(2)
    expect(await reindex()).toMatchObject({ chunks_written: 0, chunks_reused: first['chunks_written'], summary: expect.stringContaining('Nothing changed') })
    expect(await rowsOf(tenant)).toEqual(before)
  })

  it('embeds only what changed, and keeps the vectors of what moved', async () => {
    world.documents.set('a.txt', { text: lines(100) })
    const first = await reindex()
    world.documents.set('a.txt', { text: `${'an opening of its own '.repeat(75)}\n\n${lines(100)}` })
    const second = await reindex()
    expect(second['chunks_written']).toBeLessThanOrEqual(5)
    expect(second['chunks_reused']).toBeGreaterThan(Number(first['chunks_written']) / 2)
    const rows = await rowsOf(tenant)
    expect(rows.map(([, place]) => Number(place))).toEqual(rows.map((_, place) => place))
    const text = String(world.documents.get('a.txt')?.text).split('\n')
    const cited = await world.database.query({ sql: 'select start_line, end_line, content from arrowhead.doc_chunks where tenant = $1', values: [tenant] }, { role: 'searcher' })
    for (const [start, end, content] of cited.rows) expect(text.slice(Number(start) - 1, Number(end)).join('\n')).toContain(content)
  })

  it('forgets documents that are gone, under the prefix and nowhere else', async () => {
    for (const path of ['a/1.txt', 'a/2.txt', 'b/1.txt']) world.documents.set(path, { text: `text of ${path}` })
    await reindex()
    world.documents.clear()
    world.documents.set('a/1.txt', { text: 'text of a/1.txt' })
    expect(await reindex('a/')).toMatchObject({ files_indexed: 1, summary: expect.stringContaining('removed: 1.') })
    expect((await rowsOf(tenant)).map(([source]) => source)).toEqual(['a/1.txt', 'b/1.txt'])
  })

  it('shortens a document that became shorter', async () => {
    world.documents.set('a.txt', { text: lines(100) })
    const { chunks_written: written } = await reindex()
    world.documents.set('a.txt', { text: 'short' })
    expect(await reindex()).toMatchObject({ chunks_written: 1, summary: expect.stringContaining(`removed: ${Number(written) - 1}.`) })
    expect(await rowsOf(tenant)).toHaveLength(1)
  })

  it('does not index what the caller may not read, and forgets it when that changes', async () => {
    world.documents.set('open.txt', { text: 'open words' })
    world.documents.set('hr/pay.txt', { text: 'secret words' })
    await reindex()
    expect((await rowsOf(tenant)).map(([source]) => source)).toEqual(['hr/pay.txt', 'open.txt'])
    const authzPolicy = JSON.stringify({ grants: [{ subject: '*', actions: ['ingest', 'query'], kinds: ['table'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open.txt' }] })
    const narrow = await world.again({ authzPolicy })
    await narrow.value('doc_index', { collection }, narrow.caller(tenant))
    expect((await rowsOf(tenant)).map(([source]) => source)).toEqual(['open.txt'])
  })

  it('stops at its limits, says so, and goes on in the next run', async () => {
    for (let at = 0; at < 5; at += 1) world.documents.set(`${at}.txt`, { text: `number ${at}` })
    const small = await world.again({ vectorIndexMaxFiles: 3 })
    expect(await small.value('doc_index', { collection }, small.caller(tenant))).toMatchObject({ files_indexed: 3, truncated: true, summary: expect.stringMatching(/as many files .* path_prefix/) })
    expect(await reindex()).toMatchObject({ files_indexed: 5, chunks_reused: 3, chunks_written: 2, truncated: false })
    const few = await world.again({ vectorIndexMaxChunks: 2 })
    world.documents.set('0.txt', { text: lines(200) })
    expect(await few.value('doc_index', { collection }, few.caller(tenant))).toMatchObject({ truncated: true, summary: expect.stringMatching(/as many chunks .* path_prefix/) })
  })

  it('gives documents that the caller may not read no place in its limits, and does not tell that they are there', async () => {
    for (let at = 0; at < 5; at += 1) world.documents.set(`hr/${at}.txt`, { text: `secret ${at}` })
    for (const path of ['open/1.txt', 'open/2.txt']) world.documents.set(path, { text: path })
    world.documents.set('pay/1.txt', { text: 'secret too' })
    const authzPolicy = JSON.stringify({ grants: [{ subject: '*', actions: ['ingest', 'query'], kinds: ['table'], prefix: '' }, { subject: '*', actions: ['read'], kinds: ['document'], prefix: 'open' }] })
    for (const limit of [{ vectorIndexMaxFiles: 2 }, { vectorIndexMaxChunks: 2 }]) {
      const narrow = await world.again({ authzPolicy, ...limit })
      expect(await narrow.value('doc_index', { collection }, narrow.caller(tenant))).toMatchObject({ files_indexed: 2, truncated: false })
      expect((await rowsOf(tenant)).map(([source]) => source)).toEqual(['open/1.txt', 'open/2.txt'])
    }
  })

  it('takes every spelling of a prefix for the documents that it names', async () => {
    for (const path of ['caf\u00e9/1.txt', 'caf\u00e9/2.txt', 'other.txt']) world.documents.set(path, { text: path })
    await reindex()
    for (const prefix of ['./caf\u00e9/', 'caf\u00e9//', 'cafe\u0301/', '.']) expect(await reindex(prefix), prefix).toMatchObject({ chunks_written: 0, summary: expect.stringContaining('Nothing changed') })
    world.documents.delete('caf\u00e9/2.txt')
    expect(await reindex('./cafe\u0301//')).toMatchObject({ chunks_written: 0, summary: expect.stringContaining('removed: 1.') })
    expect((await rowsOf(tenant)).map(([source]) => source)).toEqual(['caf\u00e9/1.txt', 'other.txt'])
  })

  it('gives no chunk the vector of another text where two runs meet', async () => {
    const run = { collection, tenant, prefix: '', signal: new AbortController().signal, progress: () => {}, mayRead: () => true }
    const embedder = createDeterministicEmbedder({ dimensions: 64, maxTexts: 1000 })
    const parts = (...words: readonly string[]) => words.map((word) => `${word} `.repeat(150)).join('\n\n')
    const over = (text: string, database: Database = world.database) => vectorsWith({
      database, embedder, documents: { stat: async () => ({ modifiedMs: 1 }), async *list() { yield { path: 'a.txt', modifiedMs: 1, read: () => new TextEncoder().encode(text) } } },
    })
    await reindex()
    await over(parts('second', 'third')).index(run)
    const moved = over(parts('first', 'second', 'third'), {
      ...world.database,
      async transaction(...given) {
        await over(parts('other', 'text')).index(run)
        return world.database.transaction(...given)
      },
    })
    await moved.index(run)
    const { rows } = await world.database.query({ sql: 'select content, embedding::text from arrowhead.doc_chunks where tenant = $1', values: [tenant] }, { role: 'searcher' })
    const made = await embedder.embed(rows.map(([content]) => content ?? ''), run)
    expect(rows.map(([, stored]) => (JSON.parse(stored ?? '') as number[]).map((number) => number.toFixed(4)))).toEqual(made.map((vector) => vector.map((number) => Math.fround(number).toFixed(4))))
  })

  it('passes over what is no text, and keeps text that Postgres could not', async () => {
    world.documents.set('bad.txt', { text: new Uint8Array([0xff, 0xfe, 0x00]) })
    world.documents.set('nul.txt', { text: 'before\0after' })
    world.documents.set('empty.txt', { text: '\n \n' })
    expect(await reindex()).toMatchObject({ files_indexed: 2, chunks_written: 1 })
    expect((await rowsOf(tenant))[0]?.[3]).toBe('before\ufffdafter')
  })

  it('says when a document has changed since, and not when it was only touched', async () => {
    const stale = async () => hitsIn(await world.value('hybrid_query', { collection, query: 'words', k: 1 }, world.caller(tenant)))[0]?.stale
    world.documents.set('a.txt', { text: 'words' })
    await reindex()
    world.documents.set('a.txt', { text: 'words', modifiedMs: 2000 })
    expect(await stale()).toBe(true)
    expect(await reindex()).toMatchObject({ chunks_written: 0 })
    expect(await stale()).toBe(false)
    world.documents.clear()
    expect(await stale()).toBe(true)
  })

  it('leaves whole documents when the caller leaves in the middle, and the next run completes them', async () => {
    for (let at = 0; at < 60; at += 1) world.documents.set(`${String(at).padStart(3, '0')}.txt`, { text: lines(60, `d${at}`) })
    const leaving = new AbortController()
    const progress = (_done: number, _total?: number, said = ''): void => void (said.includes('chunks written') && leaving.abort(new Error('left')))
    const run = { collection, tenant, prefix: '', signal: leaving.signal, progress, mayRead: () => true }
    await expect(world.vectors.index(run)).rejects.toThrow('left')
    const countsOf = async () => {
      const counts = new Map<string, number>()
      for (const [source] of await rowsOf(tenant)) counts.set(source ?? '', (counts.get(source ?? '') ?? 0) + 1)
      return counts
    }
    const counts = await countsOf()
    expect(counts.size).toBeGreaterThan(0)
    expect(counts.size).toBeLessThan(60)
    const whole = await reindex()
    expect(whole).toMatchObject({ files_indexed: 60, truncated: false })
    const after = await countsOf()
    expect([...counts].map(([source]) => [source, after.get(source)])).toEqual([...counts])
  })

  it('never mixes vectors of two models: searches ask for a new index, which a whole run makes', async () => {
    world.documents.set('a.txt', { text: 'apples' })
    world.documents.set('b.txt', { text: 'pears' })
    await reindex()
    await world.database.query({ sql: "update arrowhead.fillings set model = 'older:64' where tenant = $1", values: [tenant] }, { role: 'writer' })
    const me = world.caller(tenant)
    expect(await world.call('hybrid_query', { collection, query: 'apples' }, me)).toMatchObject(refusedAs('data.reindex'))
    expect(await world.call('vector_query', { collection, query: 'apples' }, me)).toMatchObject(refusedAs('data.reindex'))
    expect(await world.call('doc_index', { collection, path_prefix: 'a' }, me)).toMatchObject(refusedAs('data.reindex'))
    expect(await reindex()).toMatchObject({ chunks_written: 2, chunks_reused: 0 })
    expect(await world.call('hybrid_query', { collection, query: 'apples' }, me)).toMatchObject({ is: 'ok' })
  })

  it('asks for a new collection when the dimensions changed', async () => {
    world.documents.set('a.txt', { text: 'apples' })
    await reindex()
    const wider = await world.again({ embeddingDimensions: 65 })
    expect(await wider.call('doc_index', { collection }, wider.caller(tenant))).toMatchObject(refusedAs('data.reindex'))
    expect(await wider.call('vector_query', { collection, query: 'apples' }, wider.caller(tenant))).toMatchObject(refusedAs('data.reindex'))
  })
})

describe('searching', () => {
  beforeAll(async () => {
    world.documents.clear()
    world.documents.set('fruit.txt', { text: 'apples grow on trees' })
    world.documents.set('money.txt', { text: 'interest rates and bonds' })
    world.documents.set('code.ts', { text: 'export function parseInvoiceNumber(text) {\n  return text\n}\n' })
    await index('', 'searcher')
  })
  const me = () => world.caller('searcher')

  it('finds by likeness, by keyword, and by vector', async () => {
    expect(hitsIn(await world.value('vector_query', { collection, query: 'apple tree', k: 1 }, me()))[0]?.source).toBe('fruit.txt')
    expect(hitsIn(await world.value('hybrid_query', { collection, query: 'parseInvoiceNumber', k: 1 }, me()))[0]?.source).toBe('code.ts')
    const stored = await world.database.query({ sql: "select embedding::text from arrowhead.doc_chunks where tenant = 'searcher' and source = 'money.txt'" }, { role: 'searcher' })
    const embedding = JSON.parse(stored.rows[0]?.[0] ?? '[]') as number[]
    const [hit] = hitsIn(await world.value('vector_search', { collection, embedding, k: 1 }, me()))
    expect(hit).toMatchObject({ source: 'money.txt', score: expect.closeTo(1, 4) })
  })

  it.each(['', ' ', '"', "O'Brien \"quoted\"", 'a & | ! b', '<->', '(((', ':*', 'the of and', '\0', '🙂', '\\', `${'word '.repeat(1500)}`])('takes any words as words: %j', async (query) => {
    expect((await world.call('hybrid_query', { collection, query }, me())).is).toBe(query === '' ? 'refused' : 'ok')
  })

  it.each([
    ['more hits than the limit', { collection, query: 'x', k: 51 }, 'data.limit'],
    ['a collection that is not listed', { collection: 'fillings', query: 'x' }, 'data.collection'],
    ['a climb', { collection: '../doc_chunks', query: 'x' }, 'data.collection'],
    ['a statement for a name', { collection: 'doc_chunks"; drop table x; --', query: 'x' }, 'data.collection'],
    ['a name in other case', { collection: 'DOC_CHUNKS', query: 'x' }, 'data.collection'],
  ])('refuses %s', async (_what, args, code) => {
    expect(await world.call('hybrid_query', args, me())).toMatchObject(refusedAs(code))
  })

  it.each([1e38, 1e-38])('finds what lies in the direction of a vector, also where its numbers are about %d', async (size) => {
    const search = async (embedding: readonly number[]) => hitsIn(await world.value('vector_search', { collection, embedding, k: 3 }, me())).map(({ source, score }) => [source, score.toFixed(4)])
    const plain = Array.from({ length: 64 }, (_, at) => Math.sin(at + 1))
    expect(await search(plain.map((number) => number * size))).toEqual(await search(plain))
  })

  it('finds nothing near a question without a direction, and what has its words all the same', async () => {
    const embedder = { ...createDeterministicEmbedder({ dimensions: 64, maxTexts: 1 }), embed: async () => [new Array<number>(64).fill(0)] }
    const silent = vectorsWith({ database: world.database, embedder, documents: { stat: async () => ({ modifiedMs: 1 }), async *list() {} } })
    const asked = { collection, tenant: 'searcher', query: 'parseInvoiceNumber', k: 3, signal: new AbortController().signal }
    expect((await silent.alike(asked)).hits).toEqual([])
    expect((await silent.fused(asked)).hits.map(({ source }) => source)).toEqual(['code.ts'])
  })

  it.each([
    ['too few numbers', [1, 2, 3], 'data.dimensions'],
    ['too many numbers', new Array(2001).fill(1), 'data.limit'],
    ['only zeros', new Array(64).fill(0), 'input.invalid'],
    ['what is no number', [Number.NaN], 'input.invalid'],
    ['an infinite number', [Number.POSITIVE_INFINITY], 'input.invalid'],
    ['a number too large to be stored', [1e39, ...new Array(63).fill(0)], 'input.invalid'],
    ['numbers too small to be stored', new Array(64).fill(1e-60), 'input.invalid'],
  ])('refuses a vector of %s', async (_what, embedding, code) => {
    expect(await world.call('vector_search', { collection, embedding }, me())).toMatchObject(refusedAs(code))
  })

  it('says that nothing is configured where a server is named and no collection is', async () => {
    const server = await world.again({ sqlDsn: 'postgresql://nobody@127.0.0.1:1/none', pgvectorCollections: undefined })
    expect(await server.call('hybrid_query', { collection, query: 'x' }, server.caller('searcher'))).toMatchObject(refusedAs('data.unconfigured'))
  })

  it('says that a server which cannot be reached is unavailable, and does not index without a write connection', async () => {
    const server = await world.again({ sqlDsn: 'postgresql://nobody@127.0.0.1:1/none' })
    expect(await server.call('hybrid_query', { collection, query: 'x' }, server.caller('searcher'))).toMatchObject(refusedAs('database.unavailable'))
    expect(await server.call('doc_index', { collection }, server.caller('searcher'))).toMatchObject(refusedAs('data.unconfigured'))
  })
})

describe('what sql_query runs on', () => {
  const asReader = (sql: string) => world.database.query({ sql }, { role: 'reader' })

  it.each([
    'arrowhead.doc_chunks', 'arrowhead.collections', 'arrowhead.fillings', 'arrowhead.migrations', 'pg_catalog.pg_class', 'pg_catalog.pg_stats', 'pg_catalog.pg_authid',
  ])('never reaches %s', async (table) => {
    await expect(asReader(`select * from ${table}`)).rejects.toMatchObject({ sqlState: '42501' })
  })

  it('reaches no partition of a tenant by its name', async () => {
    const { rows } = await world.database.query({ sql: "select c.relname from pg_class c join pg_inherits i on i.inhrelid = c.oid where c.relkind = 'r'" }, { role: 'owner' })
    expect(rows.length).toBeGreaterThan(0)
    for (const [name] of rows) await expect(asReader(`select * from arrowhead."${name}"`)).rejects.toMatchObject({ sqlState: '42501' })
  })

  it.each(["pg_relation_size('public.x'::text::regclass)", 'pg_stat_get_live_tuples(1)', 'pg_sleep(1)', 'pg_advisory_lock(1)', "pg_notify('a', 'b')", "query_to_xml('select 1', true, true, '')", "pg_read_file('/etc/passwd')", "arrowhead.open_tenant('doc_chunks', 'x')", "current_setting('search_path')"])('may not call %s', async (call) => {
    await expect(asReader(`select ${call}`)).rejects.toMatchObject({ sqlState: expect.stringMatching(/^(42501|42P01)$/) })
  })

  it('reads what the owner put into the schema of the user', async () => {
    await world.database.migrate([{ name: 'test.orders', sql: 'create table public.orders (id int); insert into public.orders values (1);' }])
    expect(await asReader('select id from orders')).toMatchObject({ rows: [['1']] })
  })
})
