/** What a matcher says about a document. */

/** The first match of one line. */
export interface Hit {
  /** From 1. A line ends at LF; a CR before it belongs to the ending. */
  readonly line: number
  /** From 1, in UTF-16 units of the line. */
  readonly column: number
  /** The line, or the part of it around the match. */
  readonly snippet: string
  /** Whether the snippet is not the whole line. */
  readonly isCut: boolean
}

/**
 * What a search meets on its way: a hit; `pause`, where it may be stopped at little cost; `long-line`, a line
 * whose end was not searched.
 */
export type Step = Hit | 'pause' | 'long-line'

export interface Matcher {
  /** Searches one UTF-8 document. Both sides are compared in Unicode normal form C. Leave off at any time. */
  search(document: Uint8Array): Iterable<Step>
}
