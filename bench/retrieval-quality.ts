/**
 * Do the right passages come first? Questions over this project's own documents, each with the document that answers
 * it; nDCG@10 of the vector branch, the keyword branch and both fused: `npm run bench:quality -- deterministic|local`.
 */

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/kernel/ports/database.ts'
import { createEmbeddedDatabase } from '../src/services/database/index.ts'
import { createDeterministicEmbedder, createLocalEmbedder } from '../src/services/embedding/index.ts'
import { DEFAULT_COLUMNS, createVectors, vectorMigrations } from '../src/services/vectors/index.ts'

interface Labelled {
  readonly question: string
  /** Documents that answer it. */
  readonly answers: readonly string[]
  /** Whether it says what the document says in other words. */
  readonly paraphrase?: boolean
}

const local = process.argv[2] === 'local'
const embedder = local ? createLocalEmbedder({ maxTexts: 100_000 }) : createDeterministicEmbedder({ dimensions: 512, maxTexts: 100_000 })
const labelled = JSON.parse(readFileSync('bench/retrieval-quality.json', 'utf8')) as readonly Labelled[]
const paths = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md')).map((path) => `docs/${path.replaceAll('\\', '/')}`).concat('README.md', 'CONTRIBUTING.md').sort()
const [collection, tenant] = ['quality_chunks', 'bench']
const signal = new AbortController().signal

/** Each document counts once, at the place of its best chunk. */
function gain(sources: readonly (string | null)[], answers: readonly string[]): number {
  const ranked = [...new Set(sources)].slice(0, 10)
  const discount = (place: number): number => 1 / Math.log2(place + 2)
  const got = ranked.reduce((sum, source, place) => sum + (answers.includes(source ?? '') ? discount(place) : 0), 0)
  return got / answers.reduce((sum, _, place) => sum + discount(place), 0)
}

async function keywordOnly(database: Database, question: string): Promise<readonly (string | null)[]> {
  const { rows } = await database.query({
    sql: `select source from arrowhead.${collection}, (select replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery as words) asked
where tenant = $2 and content_tsv @@ words order by ts_rank_cd(content_tsv, words, 1) desc, id limit 40`,
    values: [question, tenant],
  }, { role: 'searcher' })
  return rows.map(([source]) => source ?? null)
}

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-quality-'))
const database = createEmbeddedDatabase({ folder, template: process.env['ARROWHEAD_TEMPLATE'] })
const vectors = createVectors({
  database, embedder, collections: [collection], columns: DEFAULT_COLUMNS, language: 'english', maxK: 50, maxDimensions: 2000, rrfK: 60, candidateMultiplier: 4,
  prepare: async () => void (await database.migrate(vectorMigrations({ collections: [collection], dimensions: 512, columns: DEFAULT_COLUMNS, language: 'english' }))),
  timeoutMs: 120_000, maxBytes: 8_000_000, ticks: () => performance.now(),
  documents: {
    async *list() {
      for (const path of paths) yield { path, modifiedMs: 0, read: () => readFileSync(path) }
    },
    stat: async () => ({ modifiedMs: 0 }),
  },
  index: { proseMaxChars: 1500, codeMaxChars: 2000, overlapChars: 200, maxFiles: 1000, maxChunks: 100_000, timeoutMs: 3_600_000, reuseUnchanged: true },
})
try {
  const report = await vectors.index({ collection, tenant, prefix: '', signal, progress: () => {}, mayRead: () => true })
  console.log(`${report.filesIndexed} documents, ${report.chunksWritten} chunks, ${embedder.label}, ${labelled.length} questions`)
  const sums = { vector: 0, keyword: 0, hybrid: 0 }
  const [paraphrased, found] = [labelled.filter(({ paraphrase }) => paraphrase === true), { vector: 0, keyword: 0, hybrid: 0 }]
  for (const { question, answers, paraphrase } of labelled) {
    const wanted = { collection, tenant, k: 40, query: question, signal }
    const ranked = {
      vector: (await vectors.alike(wanted)).hits.map(({ source }) => source),
      keyword: await keywordOnly(database, question),
      hybrid: (await vectors.fused(wanted)).hits.map(({ source }) => source),
    }
    for (const branch of ['vector', 'keyword', 'hybrid'] as const) {
      sums[branch] += gain(ranked[branch], answers)
      if (paraphrase === true && [...new Set(ranked[branch])].slice(0, 3).some((source) => answers.includes(source ?? ''))) found[branch] += 1
    }
  }
  const mean = (branch: keyof typeof sums): string => (sums[branch] / labelled.length).toFixed(3)
  console.log(`nDCG@10: vector ${mean('vector')}, keyword ${mean('keyword')}, hybrid ${mean('hybrid')}`)
  console.log(`paraphrases with an answer among the first three: vector ${found.vector}, keyword ${found.keyword}, hybrid ${found.hybrid} of ${paraphrased.length}`)
} finally {
  await database.close()
  await embedder.close()
  rmSync(folder, { recursive: true, force: true })
}
