/**
 * Vector and hybrid search over chunks of 384 dimensions, embedded and, where ARROWHEAD_TEST_POSTGRES_VECTOR names a
 * server, on Postgres in the same run: `npm run bench:vectors -- 10000`. Prints index time, p50 and p95, recall and memory.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/kernel/ports/database.ts'
import { createEmbeddedDatabase, createPostgresDatabase } from '../src/services/database/index.ts'
import { DEFAULT_COLUMNS, createVectors, rebuildSql, vectorMigrations } from '../src/services/vectors/index.ts'

const [DIMENSIONS, K, QUERIES, BATCH] = [384, 10, 200, 250]
const rows = Number(process.argv[2] ?? 10_000)
const collection = 'bench_chunks'
const schema = { collections: [collection], dimensions: DIMENSIONS, columns: DEFAULT_COLUMNS, language: 'english' }

let state = 42
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296
const gaussian = (): number => random() + random() + random() + random() - 2
/** Clustered, as the vectors of texts are. */
const centres = Array.from({ length: 200 }, () => Array.from({ length: DIMENSIONS }, gaussian))
const vector = (): number[] => (centres[Math.floor(random() * centres.length)] ?? []).map((number) => number + gaussian() * 0.7)
const words = Array.from({ length: 4000 }, (_, at) => `word${at.toString(36)}`)
const text = (length: number): string => Array.from({ length }, () => words[Math.floor(words.length * random() ** 2)]).join(' ')
const numbers = (one: readonly number[]): string => `[${one.map((number) => number.toFixed(5)).join(',')}]`
const percentile = (times: readonly number[], part: number): string => ([...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(2)

const chunks = Array.from({ length: rows }, (_, at) => ({ id: String(at), content: text(60), vector: vector() }))
const asked = Array.from({ length: QUERIES }, () => ({ vector: vector(), words: text(3) }))

function exactNeighbours(of: readonly number[]): ReadonlySet<string> {
  const length = Math.hypot(...of)
  return new Set(chunks.map(({ id, vector: one }) => {
    let [dot, squares] = [0, 0]
    for (let at = 0; at < DIMENSIONS; at += 1) {
      const number = one[at] ?? 0
      dot += number * (of[at] ?? 0)
      squares += number * number
    }
    return { id, distance: -dot / (Math.sqrt(squares) * length) }
  }).sort((a, b) => a.distance - b.distance).slice(0, K).map(({ id }) => id))
}
const exact = asked.slice(0, 50).map(({ vector: one }) => exactNeighbours(one))

async function fill(database: Database): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < rows; at += BATCH) {
    const part = chunks.slice(at, at + BATCH)
    await database.transaction([
      { sql: 'select arrowhead.open_tenant($1, $2)', values: [collection, 'bench'] },
      {
        sql: `insert into arrowhead.${collection} (tenant, id, content, embedding, source, chunk_index, content_hash)
select 'bench', n.id, n.content, n.v::vector, n.id, 0, n.id from unnest($1::text[], $2::text[], $3::text[]) as n (id, content, v)`,
        values: [part.map(({ id }) => id), part.map(({ content }) => content), part.map((one) => numbers(one.vector))],
      },
    ], { role: 'writer', timeoutMs: 300_000 })
  }
  return performance.now() - start
}

async function measure(name: string, database: Database): Promise<void> {
  await database.migrate(vectorMigrations(schema))
  await database.migrate([{ name: `bench.${Date.now().toString(36)}`, sql: rebuildSql(collection, schema) }])
  const filledMs = await fill(database)
  let next = 0
  const vectors = createVectors({
    database, collections: [collection], columns: DEFAULT_COLUMNS, language: 'english', prepare: async () => {}, maxK: 50, maxDimensions: 2000, rrfK: 60, candidateMultiplier: 4,
    timeoutMs: 60_000, maxBytes: 8_000_000, ticks: () => performance.now(),
    // The embedder's own time is no part of what is measured here.
    embedder: { label: 'bench', dimensions: DIMENSIONS, semantic: false, embed: async () => [asked[next++ % asked.length]?.vector ?? []], close: async () => {} },
    documents: { list: async function* () {}, stat: async () => ({ modifiedMs: 0 }) },
    index: { proseMaxChars: 1500, codeMaxChars: 2000, overlapChars: 0, maxFiles: 1, maxChunks: 1, timeoutMs: 1, reuseUnchanged: true },
  })
  const wanted = { collection, tenant: 'bench', k: K, signal: new AbortController().signal }
  const times: { near: number[]; fused: number[] } = { near: [], fused: [] }
  let found = 0
  for (const [at, { vector: embedding, words: query }] of asked.entries()) {
    let start = performance.now()
    const { hits } = await vectors.near({ ...wanted, embedding })
    times.near.push(performance.now() - start)
    const right = exact[at]
    if (right) found += hits.filter(({ source }) => right.has(source ?? '')).length
    start = performance.now()
    await vectors.fused({ ...wanted, query })
    times.fused.push(performance.now() - start)
  }
  const size = `select sum(pg_total_relation_size(c.oid)) from pg_class c where c.relkind = 'r' and c.relname like '${collection}\\_of\\_%'`
  const { rows: [[bytes] = []] } = await database.query({ sql: size }, { role: 'owner' })
  const perSecond = Math.round((rows / filledMs) * 1000)
  console.log(`${name}: ${rows} chunks indexed in ${(filledMs / 1000).toFixed(1)} s (${perSecond}/s, index kept up to date); vector p50 ${percentile(times.near, 0.5)} p95 ${percentile(times.near, 0.95)} ms; hybrid p50 ${percentile(times.fused, 0.5)} p95 ${percentile(times.fused, 0.95)} ms; recall@${K} ${(found / (exact.length * K)).toFixed(3)}; ${Math.round(Number(bytes) / 1e6)} MB of table and indexes; resident ${Math.round(process.memoryUsage().rss / 1e6)} MB (with ${rows} vectors of the bench itself)`)
  await database.close()
}

console.log(`before: resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
const server = process.env['ARROWHEAD_TEST_POSTGRES_VECTOR']
if (server === undefined) console.log('postgres: skipped, ARROWHEAD_TEST_POSTGRES_VECTOR is not set')
else await measure('postgres', createPostgresDatabase({ readDsn: server, writeDsn: server }))
const folder = mkdtempSync(join(tmpdir(), 'arrowhead-bench-'))
try {
  await measure('embedded', createEmbeddedDatabase({ folder }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
