/**
 * Collections of text chunks with their vectors. A tenant is part of every method, never a filter, and comes from the
 * verified caller; names of collections come from the operator's list.
 */

/** Where a chunk came from, what it says, and how fresh that is. */
export interface ChunkHit {
  readonly source: string | null
  /** Position in its document, from 0. */
  readonly chunkIndex: number | null
  /** First and last line in the document, from 1, where the chunk knows them. */
  readonly startLine: number | null
  readonly endLine: number | null
  readonly content: string
  /** Higher is nearer. Comparable only within one answer. */
  readonly score: number
  /** When the chunk was written, ISO 8601 in UTC, or null for rows of other writers. */
  readonly indexedAt: string | null
  /** Whether the document has changed or gone since, or null where that cannot be told. */
  readonly stale: boolean | null
}

export interface Found {
  readonly hits: readonly ChunkHit[]
  /** Whether the byte cap left hits out. */
  readonly truncated: boolean
}

export interface Wanted {
  readonly collection: string
  /** The verified caller. Empty finds nothing and is refused. */
  readonly tenant: string
  /** Hits wanted. */
  readonly k: number
  readonly signal: AbortSignal
}

export interface IndexRun {
  readonly collection: string
  readonly tenant: string
  /** Documents whose path starts with it. Empty: all. */
  readonly prefix: string
  readonly signal: AbortSignal
  progress(done: number, total?: number, message?: string): void
  /** Whether this caller may read a document; one that it may not is not indexed, and leaves the index. */
  mayRead(path: string): boolean | Promise<boolean>
}

export interface IndexReport {
  readonly filesIndexed: number
  readonly chunksWritten: number
  /** Chunks that were there already, neither embedded nor written. */
  readonly chunksReused: number
  readonly chunksRemoved: number
  /** Whether a limit ended the run early. */
  readonly truncated: boolean
  /** Which one it was. After `time` the next run goes on; the others hold for every run. */
  readonly limit?: 'files' | 'chunks' | 'time' | undefined
}

/** What turns words into vectors here. */
export interface Recall {
  readonly label: string
  readonly semantic: boolean
  readonly dimensions: number
}

/** What tools may know of whatever embeds. */
export const recallOf = ({ label, semantic, dimensions }: Recall): Recall => ({ label, semantic, dimensions })

/**
 * Every method throws Refusal `data.collection` for a name that is not listed, `data.limit`, `data.unconfigured`,
 * `data.reindex` when vectors of another model are stored, `access.denied` without a tenant, and `database.*`.
 */
export interface Vectors {
  readonly recall: Recall
  /** Nearest to a vector. @throws Refusal `data.dimensions`, `input.invalid` for a vector of zeros. */
  near(wanted: Wanted & { readonly embedding: readonly number[] }): Promise<Found>
  /** Nearest in meaning to a text, as far as the embedder knows meaning. @throws as `Embedder.embed` does. */
  alike(wanted: Wanted & { readonly query: string }): Promise<Found>
  /** Nearest in meaning and in words, fused by reciprocal rank. @throws as `Embedder.embed` does. */
  fused(wanted: Wanted & { readonly query: string }): Promise<Found>
  /** Brings a collection in line with the documents. @throws as `Embedder.embed` does. */
  index(run: IndexRun): Promise<IndexReport>
}
