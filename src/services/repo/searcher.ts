/** What this service needs of the search that documents and code share; the composition root passes it in. */

export interface Hit {
  readonly line: number
  readonly column: number
  readonly snippet: string
  readonly isCut: boolean
}

export interface Matcher {
  search(document: Uint8Array): Iterable<Hit | 'pause' | 'long-line'>
}

export interface SearchLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxReadBytes: number
  readonly maxResults: number
  readonly maxSnippetBytes: number
  readonly timeoutMs: number
}

interface SearchText {
  readonly path: string
  readonly size: number
  read(): Uint8Array
}

interface SearchOptions {
  readonly limits: SearchLimits
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly filesSeen: number }) => void
}

interface SearchResult {
  readonly matches: readonly (Hit & { readonly path: string })[]
  readonly truncated: 'files' | 'bytes' | 'results' | 'snippets' | 'time' | undefined
  readonly linesCut: number
}

export interface Searcher {
  /** @throws Refusal `input.invalid`. */
  matcher(query: string, regex: boolean): Promise<Matcher>
  /** @throws Refusal that the signal carries. */
  search(texts: AsyncIterable<SearchText>, matcher: Matcher, options: SearchOptions): Promise<SearchResult>
}
