/** What is looked for in many texts: words and expressions, credentials and personal data. */

/** A text that has not been read yet. A source of them yields only what the caller may see. */
export interface UnreadText {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** UTF-8. A Refusal `file.*` leaves the text out. */
  read(): Uint8Array | Promise<Uint8Array>
}

export interface Watching {
  readonly signal: AbortSignal
  /** Called now and then while the work lasts. */
  readonly progress: (done: number, total?: number, message?: string) => void
}

export interface Match {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The line, or the part of it around the match. */
  readonly snippet: string
}

export interface Matches {
  readonly matches: readonly Match[]
  /** The limit that ended the search: there is more, or for `results` there may be. */
  readonly truncated: 'files' | 'bytes' | 'results' | 'snippets' | 'time' | undefined
  readonly filesSeen: number
  /** Seen and not searched: too large, not UTF-8, or gone. */
  readonly filesSkipped: number
}

/** Searches texts within the operator's limits, each looked at before more is read. */
export interface TextSearch {
  /**
   * Letters are compared without case.
   * @param query.regex RE2 syntax, where the operator allows expressions.
   * @throws Refusal `input.invalid` or `search.pattern` for what cannot be searched for, or what the signal carries.
   */
  find(source: AsyncIterable<UnreadText>, query: { readonly text: string; readonly regex: boolean }, watching: Watching): Promise<Matches>
}

export interface Discovery {
  readonly path: string
  readonly line: number
  readonly column: number
  /** Such as `GITHUB_TOKEN` or `EMAIL`. */
  readonly type: string
  /** `[REDACTED:TYPE:tag]`: equal for equal values within this process, and never the value. */
  readonly placeholder: string
}

export interface Discoveries {
  readonly found: readonly Discovery[]
  readonly truncated: 'files' | 'findings' | 'time' | undefined
  readonly filesScanned: number
  /** Too large, not UTF-8, or gone. */
  readonly filesSkipped: number
}

/** Looks for credentials and personal data within the operator's limits. */
export interface TextScan {
  /** @throws Refusal what the signal carries. */
  scan(source: AsyncIterable<UnreadText>, watching: Watching): Promise<Discoveries>
}
