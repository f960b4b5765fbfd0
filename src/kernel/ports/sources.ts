/** The texts that context is made of: documents and repository files, read and searched under one port. */

import type { Access } from '../access.ts'
import { read } from '../access.ts'

export const SOURCE_KINDS = ['doc', 'repo_file'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export interface SourceRef {
  readonly kind: SourceKind
  /** Path inside the kind's root. */
  readonly identifier: string
}

/** What a grant must cover before the source may be read. */
export const readsSource = ({ kind, identifier }: SourceRef): Access => read(kind === 'doc' ? 'document' : kind, identifier)

export interface Excerpt {
  /** The lines, joined by LF. */
  readonly text: string
  /** Secrets that were taken out of it. */
  readonly redactions: number
}

/** A source as it may be shown: cleaned line by line and redacted as a whole, its lines numbered as in the original. */
export interface SourceText {
  readonly lines: readonly string[]
  /** SHA-256 of the text before anything was changed, as UTF-8, in hex. */
  readonly sha256: string
  /** Some lines by themselves, from 1, both ends included; what looks like a secret only without its surroundings goes too. */
  excerpt(startLine: number, endLine: number): Excerpt
}

/** Lines of a source, from 1, both ends included. */
export interface Passage extends SourceRef {
  readonly startLine: number
  readonly endLine: number
}

export interface RankOptions {
  /** Asked before a source is opened; of what it denies nothing shows, not even that it exists. */
  may(ref: SourceRef): boolean | Promise<boolean>
  readonly signal: AbortSignal
  /** Most passages of one ranking. */
  readonly limit: number
}

export interface Ranking {
  /** Best first. */
  readonly passages: readonly Passage[]
  /** Whether something was left out that might have been found. */
  readonly isPartial: boolean
  /** Where an index was asked: when its last whole look at the sources ended, if ever, whether that saw all of them, and whether one goes on now. */
  readonly index?: { readonly asOfMs: number | null; readonly isComplete: boolean; readonly isUpdating: boolean }
}

/** One way of searching: full text, vectors, declarations. */
export interface Ranker {
  rank(query: string, options: RankOptions): Promise<Ranking>
}

/** One kind of source, as its store gives it. */
export interface SourceReader {
  /** Whole. @throws Refusal of the store's own when it is missing, too large or not text. */
  text(identifier: string, signal: AbortSignal): Promise<string>
}

export interface Sources {
  /** @throws Refusal of the store; `file.unavailable` for a kind that is not served. */
  read(ref: SourceRef, signal: AbortSignal): Promise<SourceText>
  /** One ranking for each way of searching. A way that fails is a partial ranking without passages. */
  search(query: string, options: RankOptions): Promise<readonly Ranking[]>
}
