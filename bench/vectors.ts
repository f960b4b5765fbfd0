/**
 * Vector and hybrid search over chunks of 384 dimensions, embedded and, where ARROWHEAD_TEST_POSTGRES_VECTOR names a
 * server, on Postgres in the same run: `npm run bench:vectors -- 10000`. Documents of one chunk each go the way of
 * doc_index, with vectors made beforehand. Prints index time, p50 and p95, recall and memory.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/kernel/ports/database.ts'
import { createEmbeddedDatabase, createPostgresDatabase } from '../src/services/database/index.ts'
import { DEFAULT_COLUMNS, createVectors, rebuildSql, vectorMigrations } from '../src/services/vectors/index.ts'

/** What the build prepared; making a database here would count as memory of the search. */
const TEMPLATE = 'dist/postgres-template.tgz'
const [DIMENSIONS, K, QUERIES] = [384, 10, 200]
const rows = Number(process.argv[2] ?? 10_000)
const collection = 'bench_chunks'
const schema = { collections: [collection], dimensions: DIMENSIONS, columns: DEFAULT_COLUMNS, language: 'english' }

let state = 42
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296
const gaussian = (): number => random() + random() + random() + random() - 2
/** Clustered, as the vectors of texts are. */
const centres = Array.from({ length: 200 }, () => Array.from({ length: DIMENSIONS }, gaussian))
const vector = (): Float32Array => Float32Array.from(centres[Math.floor(random() * centres.length)] ?? [], (number) => number + gaussian() * 0.7)
const words = Array.from({ length: 4000 }, (_, at) => `word${at.toString(36)}`)
const text = (length: number): string => Array.from({ length }, () => words[Math.floor(words.length * random() ** 2)]).join(' ')
const percentile = (times: readonly number[], part: number): string => ([...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(2)

const chunks = Array.from({ length: rows }, (_, at) => ({ path: `${String(at).padStart(7, '0')}.txt`, content: text(60), vector: vector() }))
const vectorOf = new Map(chunks.map(({ content, vector: one }) => [content, one]))
const asked = Array.from({ length: QUERIES }, () => ({ vector: vector(), words: text(3) }))
for (const { vector: one, words: query } of asked) vectorOf.set(query, one)

function exactNeighbours(of: Float32Array): ReadonlySet<string> {
  const length = Math.hypot(...of)
  return new Set(chunks.map(({ path, vector: one }) => {
    let [dot, squares] = [0, 0]
    for (let at = 0; at < DIMENSIONS; at += 1) {
      const number = one[at] ?? 0
      dot += number * (of[at] ?? 0)
      squares += number * number
    }
    return { path, distance: -dot / (Math.sqrt(squares) * length) }
  }).sort((a, b) => a.distance - b.distance).slice(0, K).map(({ path }) => path))
}
const exact = asked.slice(0, 50).map(({ vector: one }) => exactNeighbours(one))

async function measure(name: string, database: Database): Promise<void> {
  await database.migrate(vectorMigrations(schema))
  await database.migrate([{ name: `bench.${Date.now().toString(36)}`, sql: rebuildSql(collection, schema) }])
  const vectors = createVectors({
    database, collections: [collection], columns: DEFAULT_COLUMNS, language: 'english', prepare: async () => {}, maxK: 50, maxDimensions: 2000, rrfK: 60, candidateMultiplier: 4,
    timeoutMs: 60_000, maxBytes: 8_000_000, ticks: () => performance.now(),
    // The embedder's own time is no part of what is measured here.
    embedder: { label: 'bench', dimensions: DIMENSIONS, semantic: false, embed: async (texts) => texts.map((one) => [...(vectorOf.get(one) ?? [])]), close: async () => {} },
    documents: {
      async *list() {
        for (const { path, content } of chunks) yield { path, modifiedMs: 1, read: () => new TextEncoder().encode(content) }
      },
      stat: async () => ({ modifiedMs: 1 }),
    },
    index: { proseMaxChars: 1500, codeMaxChars: 2000, overlapChars: 0, maxFiles: rows, maxChunks: rows + 1, timeoutMs: 3_600_000, reuseUnchanged: true },
  })
  const start = performance.now()
  const report = await vectors.index({ collection, tenant: 'bench', prefix: '', signal: new AbortController().signal, progress: () => {}, mayRead: () => true })
  const filledMs = performance.now() - start
  if (report.chunksWritten !== rows) throw new Error(`${report.chunksWritten} chunks were written`)
  const wanted = { collection, tenant: 'bench', k: K, signal: new AbortController().signal }
  const times: { near: number[]; fused: number[] } = { near: [], fused: [] }
  let found = 0
  for (const [at, { vector: embedding, words: query }] of asked.entries()) {
    let start = performance.now()
    const { hits } = await vectors.near({ ...wanted, embedding: [...embedding] })
    times.near.push(performance.now() - start)
    const right = exact[at]
    if (right) found += hits.filter(({ source }) => right.has(source ?? '')).length
    start = performance.now()
    await vectors.fused({ ...wanted, query })
    times.fused.push(performance.now() - start)
  }
  const size = `select sum(pg_total_relation_size(c.oid)) from pg_class c where c.relkind = 'r' and c.relname like '${collection}\\_of\\_%'`
  const { rows: [[bytes] = []] } = await database.query({ sql: size }, { role: 'owner' })
  const [resident, peak] = [process.memoryUsage().rss / 1e6, process.resourceUsage().maxRSS / 1e3]
  const perSecond = Math.round((rows / filledMs) * 1000)
  console.log(`${name}: ${rows} chunks indexed in ${(filledMs / 1000).toFixed(1)} s (${perSecond}/s, search index included); vector p50 ${percentile(times.near, 0.5)} p95 ${percentile(times.near, 0.95)} ms; hybrid p50 ${percentile(times.fused, 0.5)} p95 ${percentile(times.fused, 0.95)} ms; recall@${K} ${(found / (exact.length * K)).toFixed(3)}; ${Math.round(Number(bytes) / 1e6)} MB of table and indexes; resident ${Math.round(resident)} MB, at most ${Math.round(peak)} MB (with ${rows} vectors of the bench itself)`)
  await database.close()
}

console.log(`before: resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
const server = process.env['ARROWHEAD_TEST_POSTGRES_VECTOR']
if (server === undefined) console.log('postgres: skipped, ARROWHEAD_TEST_POSTGRES_VECTOR is not set')
else await measure('postgres', createPostgresDatabase({ readDsn: server, writeDsn: server }))
const folder = mkdtempSync(join(tmpdir(), 'arrowhead-bench-'))
try {
  await measure('embedded', createEmbeddedDatabase({ folder, template: existsSync(TEMPLATE) ? TEMPLATE : undefined }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
