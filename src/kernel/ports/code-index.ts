/**
 * The port of the code index: declarations go in, addresses of declarations come out. It never gives text;
 * whoever wants the text reads it through the jail, and compares the hash.
 */

type Awaitable<T> = T | Promise<T>

/** One declaration of a file, or a section of it, as a chunker saw it. Lines count from 1, both ends included. */
export interface CodeChunk {
  readonly name: string
  /** `function`, `class`, `section`, `file` and so on, as the chunker names it. */
  readonly kind: string
  /** What it is declared in, outermost first, joined with `.`; empty at the top of a file. */
  readonly container: string
  readonly signature: string
  /** The comment that documents it. */
  readonly doc: string
  /** The text after signature and documentation. It is weighed, not kept. */
  readonly body: string
  readonly startLine: number
  readonly endLine: number
}

/** One file of the tree. `chunks` is only asked when `contentHash` is not the one that is indexed. */
export interface CodeSource {
  /** Relative to the root, with `/`. */
  readonly path: string
  /** Any digest of the content, at most 128 characters. */
  readonly contentHash: string
  chunks(): Awaitable<readonly CodeChunk[]>
}

export interface CodeUpdate {
  /** Files that were written now. */
  readonly indexed: number
  /** Files that were there already with the same content. */
  readonly unchanged: number
  /** Files that are gone from the index, because they are gone from the tree. */
  readonly removed: number
  /** Files refused by name: credential files, and paths that are no text. */
  readonly refused: number
  /** Files whose chunks could not be had, and files with more chunks than are kept. */
  readonly incomplete: number
  /** Whether every file was seen to its end. An update that was stopped goes on where it was when it is called again. */
  readonly complete: boolean
}

export interface CodeFreshness {
  /** When the last whole update ended, in milliseconds since 1970-01-01 UTC, or null when there was none. */
  readonly updatedAtMs: number | null
  /** Grows with every change of the index. */
  readonly generation: number
  /** Whether the last whole update reached its end and nothing was lost since. */
  readonly complete: boolean
}

export interface CodeHit {
  readonly path: string
  readonly name: string
  readonly kind: string
  readonly container: string
  readonly startLine: number
  readonly endLine: number
  /** Of the file when it was indexed: a file with another one has moved on, and so may have its lines. */
  readonly contentHash: string
  /** Comparable among the hits of one answer only. */
  readonly score: number
  /** Why it stands where it stands: its name is the query, begins with it, or the words weigh most. */
  readonly match: 'exact' | 'prefix' | 'ranked'
}

export interface CodeAnswer {
  readonly hits: readonly CodeHit[]
  readonly freshness: CodeFreshness
}

export interface CodeQuery {
  /** 1 to 200. */
  readonly limit: number
  /** Only chunks of these kinds. An empty list allows none. */
  readonly kinds?: readonly string[]
  /** Only this file, or files below this folder; `''` is the whole tree. */
  readonly pathPrefix?: string
  /**
   * Asked once for every file that the query touches, before anything of it is counted: a file that is denied
   * changes neither the hits nor their order nor their scores.
   */
  may?(path: string): Awaitable<boolean>
  readonly signal?: AbortSignal
}

export interface CodeIndex {
  /** Brings the index to the state of the tree: what `sources` does not name is removed. Stops between files when signalled. */
  update(sources: Iterable<CodeSource> | AsyncIterable<CodeSource>, options?: { readonly signal?: AbortSignal }): Promise<CodeUpdate>
  /** Brings a few files to their state and leaves the others. */
  change(sources: readonly CodeSource[], removed?: readonly string[]): Promise<CodeUpdate>
  /** Any text is a query; nothing in it is syntax. Only its first 1,000 characters and 32 words count. */
  search(query: string, options: CodeQuery): Promise<CodeAnswer>
  freshness(): CodeFreshness
  close(): void
}
