/** The `Vectors` port: checks what is asked for, asks the embedder, then the store. */

import type { Database } from '../../kernel/ports/database.ts'
import type { Embedder } from '../../kernel/ports/embedding.ts'
import { recallOf } from '../../kernel/ports/vectors.ts'
import type { Found, IndexReport, IndexRun, Vectors, Wanted } from '../../kernel/ports/vectors.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { ChunkStore } from './chunk-store.ts'
import type { StoredHit, StoredHits } from './chunk-store.ts'
import type { ColumnNames } from './columns.ts'
import { indexDocuments, otherDimensions } from './index-documents.ts'
import type { Documents, IndexLimits } from './index-documents.ts'

export interface VectorsOptions {
  readonly database: Database
  readonly embedder: Embedder
  readonly documents: Documents
  /** Names that may be asked for, or undefined where the operator configured none. */
  readonly collections: readonly string[] | undefined
  /** Makes the schema where this server owns the database; otherwise nothing. */
  readonly prepare: () => Promise<void>
  readonly columns: ColumnNames
  readonly language: string
  readonly maxK: number
  readonly maxDimensions: number
  /** Constant of reciprocal rank fusion. */
  readonly rrfK: number
  /** How many times `k` each branch contributes. */
  readonly candidateMultiplier: number
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly index: IndexLimits
  readonly ticks: () => number
}

export const createVectors = (options: VectorsOptions): Vectors => new CheckedVectors(options)

const MAX_QUERY_CHARS = 8000

class CheckedVectors implements Vectors {
  readonly #options: VectorsOptions
  readonly #store: ChunkStore
  #prepared: Promise<void> | undefined

  constructor(options: VectorsOptions) {
    this.#options = options
    this.#store = new ChunkStore(options)
  }

  get recall(): Vectors['recall'] {
    return recallOf(this.#options.embedder)
  }

  async near({ embedding, ...wanted }: Wanted & { readonly embedding: readonly number[] }): Promise<Found> {
    this.#check(wanted)
    if (embedding.length > this.#options.maxDimensions) throw refusal('data.limit', `at most ${this.#options.maxDimensions} dimensions`)
    // As they are stored: a number may be too large or too small for four bytes.
    const stored = embedding.map(Math.fround)
    if (!stored.every(Number.isFinite) || stored.every((number) => number === 0)) throw refusal('input.invalid', 'the vector needs finite numbers that are not all zero')
    // Only its direction counts, and squares of very large or small numbers leave four bytes.
    const largest = Math.max(...embedding.map(Math.abs))
    await this.#ready()
    return this.#found(await this.#store.near(wanted, embedding.map((number) => number / largest), wanted.k))
  }

  async alike({ query, ...wanted }: Wanted & { readonly query: string }): Promise<Found> {
    const vector = await this.#asked(wanted, query)
    return this.#found(await this.#ofThisModel(this.#store.near(wanted, vector, wanted.k)))
  }

  async fused({ query, ...wanted }: Wanted & { readonly query: string }): Promise<Found> {
    const vector = await this.#asked(wanted, query)
    const { rrfK, candidateMultiplier } = this.#options
    const how = { words: query.replaceAll('\0', ' '), k: wanted.k, candidates: wanted.k * candidateMultiplier, rrfK }
    return this.#found(await this.#ofThisModel(this.#store.fused(wanted, vector, how)))
  }

  async index(run: IndexRun): Promise<IndexReport> {
    this.#check({ ...run, k: 1 })
    await this.#ready()
    const { embedder, documents, index: limits, ticks } = this.#options
    return indexDocuments({ store: this.#store, embedder, documents, limits, ticks }, run)
  }

  #check({ collection, tenant, k }: Pick<Wanted, 'collection' | 'tenant' | 'k'>): void {
    const { collections, maxK } = this.#options
    if (tenant === '') throw refusal('access.denied', 'collections belong to callers with a name')
    if (collections === undefined) throw refusal('data.unconfigured', 'no collection is set (ARROWHEAD_PGVECTOR_COLLECTIONS)')
    if (!collections.includes(collection)) throw refusal('data.collection')
    if (k > maxK) throw refusal('data.limit', `at most ${maxK} hits`)
  }

  async #ready(): Promise<void> {
    this.#prepared ??= this.#options.prepare()
    try {
      await this.#prepared
    } catch (error) {
      this.#prepared = undefined
      throw error
    }
  }

  async #asked(wanted: Wanted, query: string): Promise<readonly number[]> {
    this.#check(wanted)
    if (query === '') throw refusal('input.invalid', 'the query is empty')
    if (query.length > MAX_QUERY_CHARS) throw refusal('data.limit', `at most ${MAX_QUERY_CHARS} characters`)
    await this.#ready()
    const [vector] = await this.#options.embedder.embed([query], { signal: wanted.signal })
    return vector ?? []
  }

  /** Vectors of two models are never compared: the caller is told to index again. */
  async #ofThisModel(work: Promise<StoredHits>): Promise<StoredHits> {
    const { label, dimensions } = this.#options.embedder
    const found = await work.catch((error: unknown) => {
      throw error instanceof Refusal && error.code === 'data.dimensions' ? otherDimensions() : error
    })
    if (found.filling.dimensions !== dimensions) throw otherDimensions()
    if (found.filling.model !== undefined && found.filling.model !== label) throw refusal('data.reindex', 'run doc_index without path_prefix')
    return found
  }

  async #found({ hits, truncated }: StoredHits): Promise<Found> {
    const sources = [...new Set(hits.flatMap(({ source, modifiedMs }) => (source === null || modifiedMs === null ? [] : [source])))]
    const now = new Map(await Promise.all(sources.map(async (source) => [source, await this.#modified(source)] as const)))
    const staleOf = ({ source, modifiedMs }: StoredHit): boolean | null => (source === null || modifiedMs === null ? null : now.get(source) !== modifiedMs)
    return { truncated, hits: hits.map(({ modifiedMs, ...hit }) => ({ ...hit, stale: staleOf({ ...hit, modifiedMs }) })) }
  }

  async #modified(source: string): Promise<number | undefined> {
    try {
      return Math.trunc((await this.#options.documents.stat(source)).modifiedMs)
    } catch {
      return undefined
    }
  }
}
