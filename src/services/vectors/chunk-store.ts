/** Reads and writes the chunks of one tenant. What it is asked for was checked before; here it becomes statements. */

import type { Database, Rows, Session, SqlInput, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import type { ChunkHit } from '../../kernel/ports/vectors.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { ColumnNames } from './columns.ts'
import { collectionStatements } from './statements.ts'
import type { CollectionStatements } from './statements.ts'

export interface ChunkStoreOptions {
  readonly database: Database
  readonly columns: ColumnNames
  readonly language: string
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** A hit, and what tells whether its document has changed since. */
export interface StoredHit extends Omit<ChunkHit, 'stale'> {
  readonly modifiedMs: number | null
}

export interface StoredHits {
  readonly hits: readonly StoredHit[]
  readonly truncated: boolean
  readonly filling: Filling
}

export interface Filling {
  /** Of the collection, or undefined where it is not there. */
  readonly dimensions: number | undefined
  /** What the tenant's vectors were made with, or undefined where there are none. */
  readonly model: string | undefined
}

export interface KnownChunk {
  readonly id: string
  readonly source: string
  readonly chunkIndex: number
  readonly hash: string
  readonly startLine: number
  readonly endLine: number
  readonly modifiedMs: number
}

export interface NewChunk extends KnownChunk {
  readonly content: string
  /** Its vector, or the id of a chunk that has it already. */
  readonly vector: { readonly numbers: readonly number[] } | { readonly from: string }
}

/** What one document, or several, become in one transaction. */
export interface Replacement {
  readonly write: readonly NewChunk[]
  /** Every id that the documents have afterwards. */
  readonly keep: readonly string[]
  readonly sources: readonly string[]
  /** Documents that are no more. */
  readonly gone: readonly string[]
  readonly touched: readonly { readonly source: string; readonly modifiedMs: number }[]
}

export interface Place {
  readonly collection: string
  readonly tenant: string
  readonly signal: AbortSignal
}

/** Rows that a searcher's walk through an index keeps in view, and the most that it can. */
const [WIDTH, MAX_WIDTH] = [200, 1_000]
const ROWS_EACH = 200
const MAX_KNOWN = 200_000
/** Longest time that the upkeep of a search index may take, in milliseconds. */
const TEND_MS = 600_000
/** A lock that did not come free in time (PostgreSQL, Appendix A). */
const LOCKED = '55P03'

export class ChunkStore {
  readonly #options: ChunkStoreOptions
  readonly #statements = new Map<string, CollectionStatements>()

  constructor(options: ChunkStoreOptions) {
    this.#options = options
  }

  near(place: Place, vector: readonly number[], k: number): Promise<StoredHits> {
    return this.#search(place, { sql: this.#of(place).near, values: [place.tenant, Float32Array.from(vector), k] }, k)
  }

  fused(place: Place, vector: readonly number[], { words, k, candidates, rrfK }: { words: string; k: number; candidates: number; rrfK: number }): Promise<StoredHits> {
    const values = [place.tenant, Float32Array.from(vector), k, words, candidates, rrfK]
    return this.#search(place, { sql: this.#of(place).fused, values }, k)
  }

  /** Chunks of sources from `prefix`, after `after`, up to `last`. */
  async known(place: Place, { prefix, after, last }: { prefix: string; after: string; last: string }): Promise<readonly KnownChunk[]> {
    const session = { ...this.#session(place, 'writer'), maxRows: MAX_KNOWN, maxBytes: MAX_KNOWN * 400 }
    const { rows, truncated } = await translating(this.#options.database.query({ sql: this.#of(place).known, values: [place.tenant, prefix, after, last] }, session))
    if (truncated) throw refusal('data.limit', 'index a smaller part of the documents at a time')
    return rows.map(([id, source, index, hash, start, end, modified]) => ({
      id: id ?? '', source: source ?? '', chunkIndex: Number(index), hash: hash ?? '', startLine: Number(start), endLine: Number(end), modifiedMs: Number(modified),
    }))
  }

  async filling(place: Place): Promise<Filling> {
    return fillingIn(await translating(this.#options.database.query(filledWith(place), this.#session(place, 'writer'))))
  }

  /** Empties the tenant's part, because vectors of two models cannot be compared. */
  async restart(place: Place, model: string): Promise<void> {
    await this.#write(place, [{ sql: 'select arrowhead.empty_tenant($1, $2)', values: [place.collection, place.tenant] }, fillingOf(place, model)])
  }

  /** Takes the search index away where so many new rows are dearer with it than a new one. `kept` where they are not, `busy` where the part is in use. */
  async loosen(place: Place, written: number): Promise<'gone' | 'kept' | 'busy'> {
    const found = await this.#tend(place, { sql: 'select arrowhead.loosen_tenant($1, $2, $3::bigint)', values: [place.collection, place.tenant, written] })
    if (found === undefined) return 'busy'
    return found.rows[0]?.[0] === 't' ? 'gone' : 'kept'
  }

  /** Ends a run that wrote so many rows: a part that is large enough has its search index then. */
  async settle(place: Place, written: number): Promise<void> {
    await this.#tend(place, { sql: 'select arrowhead.settle_tenant($1, $2, $3::bigint)', values: [place.collection, place.tenant, written] })
  }

  /** Searches are right without an index, only slower, so a part that is in use or takes too long is left for the next run. */
  async #tend(place: Place, statement: Statement): Promise<Rows | undefined> {
    try {
      return await translating(this.#options.database.query(statement, { ...this.#session(place, 'writer'), timeoutMs: TEND_MS }))
    } catch (error) {
      place.signal.throwIfAborted()
      if (error instanceof Refusal && error.code === 'database.timeout') return undefined
      throw error
    }
  }

  /** All of it or nothing. */
  async replace(place: Place, model: string, { write, keep, sources, gone, touched }: Replacement): Promise<void> {
    const sql = this.#of(place)
    const statements: Statement[] = []
    const moved = write.filter(({ vector }) => 'from' in vector)
    // Moves come first and at once: they read vectors that the writes after them may replace.
    if (moved.length > 0) statements.push({ sql: sql.move, values: [place.tenant, ...listsOf(moved, moved.map(({ vector }) => ('from' in vector ? vector.from : '')))] })
    const fresh = write.filter(({ vector }) => 'numbers' in vector)
    for (let at = 0; at < fresh.length; at += ROWS_EACH) statements.push({ sql: sql.write, values: [place.tenant, ...withNumbers(fresh.slice(at, at + ROWS_EACH))] })
    if (sources.length > 0) statements.push({ sql: sql.removeOthers, values: [place.tenant, keep, sources] })
    if (gone.length > 0) statements.push({ sql: sql.removeSources, values: [place.tenant, gone] })
    if (touched.length > 0) statements.push({ sql: sql.touch, values: [place.tenant, touched.map(({ source }) => source), touched.map(({ modifiedMs }) => modifiedMs)] })
    if (statements.length > 0) await this.#write(place, [...statements, fillingOf(place, model)])
  }

  async #write(place: Place, statements: readonly Statement[]): Promise<void> {
    const open = { sql: 'select arrowhead.open_tenant($1, $2)', values: [place.collection, place.tenant] }
    await translating(this.#options.database.transaction([open, ...statements], { ...this.#session(place, 'writer'), timeoutMs: Math.max(60_000, this.#options.timeoutMs) }))
  }

  async #search(place: Place, statement: Statement, k: number): Promise<StoredHits> {
    const session = { ...this.#session(place, 'searcher'), maxRows: k, maxBytes: this.#options.maxBytes }
    const width = k > WIDTH ? [{ sql: `set local hnsw.ef_search = ${Math.min(MAX_WIDTH, k)}` }] : []
    const [filling, found] = (await translating(this.#options.database.transaction([...width, filledWith(place), statement], session))).slice(width.length)
    return { hits: (found?.rows ?? []).map(hitOf), truncated: found?.truncated ?? false, filling: fillingIn(filling) }
  }

  #of({ collection }: Place): CollectionStatements {
    const known = this.#statements.get(collection)
    if (known) return known
    const made = collectionStatements(collection, this.#options.columns, this.#options.language)
    this.#statements.set(collection, made)
    return made
  }

  #session({ signal }: Place, role: Session['role']): Session {
    return { role, signal, timeoutMs: this.#options.timeoutMs }
  }
}

const filledWith = ({ collection, tenant }: Place): Statement => ({
  sql: 'select c.dimensions, f.model from arrowhead.collections c left join arrowhead.fillings f on f.collection = c.name and f.tenant = $2 where c.name = $1',
  values: [collection, tenant],
})

function fillingIn(found: Rows | undefined): Filling {
  const [dimensions, model] = found?.rows[0] ?? []
  return { dimensions: dimensions ? Number(dimensions) : undefined, model: model ?? undefined }
}

const fillingOf = ({ collection, tenant }: Place, model: string): Statement => ({
  sql: `insert into arrowhead.fillings (collection, tenant, model) values ($1, $2, $3)
on conflict (collection, tenant) do update set model = excluded.model, changed_at = now()`,
  values: [collection, tenant, model],
})

const listsOf = (chunks: readonly NewChunk[], given: SqlInput): readonly SqlInput[] => [
  chunks.map(({ id }) => id), chunks.map(({ content }) => content), given,
  chunks.map(({ source }) => source), chunks.map(({ chunkIndex }) => chunkIndex), chunks.map(({ hash }) => hash),
  chunks.map(({ startLine }) => startLine), chunks.map(({ endLine }) => endLine), chunks.map(({ modifiedMs }) => modifiedMs),
]

/** Vectors one after the other, and how long each is. An embedder gives all of them one length. */
function withNumbers(chunks: readonly NewChunk[]): readonly SqlInput[] {
  const vectors = chunks.map(({ vector }) => ('numbers' in vector ? vector.numbers : []))
  const length = vectors[0]?.length ?? 0
  if (vectors.some((vector) => vector.length !== length)) throw refusal('embedding.failed', undefined, 'dimensions')
  const flat = new Float32Array(chunks.length * length)
  for (const [at, vector] of vectors.entries()) flat.set(vector, at * length)
  return [...listsOf(chunks, flat), length]
}

type Cell = string | null | undefined

function hitOf([source, index, start, end, content, indexedAt, modified, score]: Rows['rows'][number]): StoredHit {
  const number = (text: Cell): number | null => (text === null || text === undefined ? null : Number(text))
  return {
    source: source ?? null, chunkIndex: number(index), startLine: number(start), endLine: number(end), content: content ?? '',
    score: Number(score), indexedAt: indexedAt ? new Date(indexedAt).toISOString() : null, modifiedMs: number(modified),
  }
}

/** States of Postgres that mean something here; any other is a fault. */
async function translating<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    if (/^(?:42P01|3F000|42883|42703|42704|42501)$/.test(error.sqlState)) throw refusal('data.unconfigured', 'run `arrowhead data init` for this database', error.sqlState)
    if (error.sqlState === LOCKED) throw refusal('database.timeout', 'another run is at work on this collection; try again when it is done', error.sqlState)
    if (error.sqlState === '22000') throw refusal('data.dimensions', 'the collection says how many it has; `arrowhead data init --rebuild` makes it anew', error.sqlState)
    throw error
  }
}
