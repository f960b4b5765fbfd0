/**
 * The document corpus as a port. A document has one path: relative, names joined by `/`, Unicode normal form C.
 * Every adapter passes `test/adapters/corpus.contract.ts`.
 */

export interface DocumentStat {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly modifiedMs: number
}

export interface CorpusDocument extends DocumentStat {
  readonly bytes: Uint8Array
  /** Of the bytes: SHA-256 (FIPS 180-4) in lower-case hex. */
  readonly sha256: string
}

/** A document met while listing. */
export interface CorpusEntry extends DocumentStat {
  /** Cheapest before the next entry is asked for. @throws Refusal `file.too-large` or `file.unavailable`. */
  read(): Uint8Array | Promise<Uint8Array>
}

export interface CorpusUsage {
  /** Bytes of all documents together. */
  readonly usedBytes: number
  readonly quotaBytes: number
}

export interface Written extends Pick<DocumentStat, 'path' | 'size'> {
  /** Whether there was a document before. */
  readonly replaced: boolean
}

export interface WriteMode {
  readonly overwrite: boolean
  /** Replaces only what has this SHA-256. */
  readonly ifSha256?: string
  /** Once it aborts, a document that was not begun is not written; one that was is finished. */
  readonly signal?: AbortSignal
}

export interface ListOptions {
  /** No limit unless set. */
  readonly maxEntries?: number
}

/**
 * Methods that take a path throw Refusal `path.invalid` for one that is not relative and plain, `file.credential`
 * for one that names credentials, and `file.unavailable` for all that is no document or not there.
 */
export interface Corpus {
  /** Whole, never a mixture of two versions. @throws Refusal `file.too-large`. */
  read(path: string): Promise<CorpusDocument>
  stat(path: string): Promise<DocumentStat>
  /**
   * Documents whose path starts with the prefix (`notes/to` finds `notes/todo.md`), by code point of the path,
   * at most `maxEntries`. No such folder is an empty list.
   * @throws Refusal `path.invalid`; `file.too-large` when there is more to look through than one listing may.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<CorpusEntry>
  /**
   * Whole or not at all, and on disk when it returns. Of two writers without `overwrite` one wins.
   * @throws Refusal `file.exists`; `file.changed` where something else stands there than `ifSha256` says;
   * `file.too-large` for a document over its limit; `corpus.full`; `path.invalid` for a name that is not a document's;
   * `call.cancelled`, or the one that the signal carries.
   */
  write(path: string, bytes: Uint8Array, mode: WriteMode): Promise<Written>
  usage(): Promise<CorpusUsage>
}

/** Holds handles until it is closed. */
export interface OpenCorpus extends Corpus {
  close(): Promise<void>
}
