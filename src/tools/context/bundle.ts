/**
 * A bundle that never costs more than its budget: the whole answer as it will be sent, fences and stamps included.
 * What a snippet costs is counted before it is taken; what does not fit is cut at a boundary or left out, and said.
 */

import { NOTICE } from '../../kernel/answer.ts'
import type { SourceRef } from '../../kernel/ports/sources.ts'
import type { CountTokens } from '../../kernel/ports/tokens.ts'
import { lastEnds } from './boundaries.ts'
import { LONGEST_FRESHNESS } from './freshness.ts'
import { sourceKey } from './fuse.ts'
import { isFarTooLong, trimmed } from './piece.ts'
import type { Piece } from './piece.ts'

export type DropReason = 'access' | 'budget' | 'duplicate' | 'unavailable'

export interface Snippet {
  readonly source: string
  readonly kind: SourceRef['kind']
  /** First and last line, `12-40`. */
  readonly span: string
  readonly sha256: string
  readonly retrieved_at: string
  readonly content: string
}

export interface Dropped {
  readonly source: string
  readonly kind: SourceRef['kind']
  readonly reason: DropReason
}

export interface BundleOptions {
  /** Tokens of the whole answer. */
  readonly budget: number
  readonly count: CountTokens
  /** ISO 8601. */
  readonly retrievedAt: string
}

/** As long as a fence's random name, and as dear as one of a hundred thousand. */
const DEAR_NAME = '1r0z3T4a7p7GdqaT'
/** Tokens by which a real fence may still cost more, and by which a whole may exceed its parts. */
const SLACK_EACH = 6
/** The part of the budget that is kept for what was dropped. */
const DROPPED_SHARE = 0.1
const MAX_DROPPED = 20
/** A cut snippet that says less is not worth its stamps. */
const LEAST_CUT_TOKENS = 40

const framed = (content: string): string => `<<data ${DEAR_NAME}>>\n${content}\n<<end ${DEAR_NAME}>>`

export class Bundle {
  isTruncated = false
  readonly #options: BundleOptions
  readonly #held: { readonly snippet: Snippet; readonly redactions: number }[] = []
  readonly #dropped: Dropped[] = []
  #droppedCount = 0
  #spent: number
  readonly #taken = new Map<string, (readonly [start: number, end: number])[]>()
  readonly #contents = new Set<string>()

  constructor(options: BundleOptions) {
    this.#options = options
    this.#spent = this.#measure([]) + SLACK_EACH
  }

  /** Tokens that snippets may still cost. */
  get left(): number {
    return Math.floor(this.#options.budget * (1 - DROPPED_SHARE)) - this.#spent
  }

  /** Whether lines of this source that overlap with these are in the bundle already. */
  has({ ref, startLine, endLine }: Pick<Piece, 'ref' | 'startLine' | 'endLine'>): boolean {
    return this.#taken.get(sourceKey(ref))?.some(([start, end]) => startLine <= end && endLine >= start) ?? false
  }

  /** Takes the piece, or as much of it as ends at a boundary and costs at most `share`. @returns whether anything was taken. */
  add(whole: Piece, share = this.left): boolean {
    const room = Math.min(share, this.left)
    const piece = trimmed(whole)
    if (this.#take(piece, room)) return true
    for (const end of lastEnds(piece, room, this.#options.count)) {
      if (!this.#take({ ...piece, endLine: end }, room, LEAST_CUT_TOKENS)) continue
      this.isTruncated = true
      return true
    }
    this.drop(piece.ref, 'budget')
    return false
  }

  drop({ kind, identifier }: SourceRef, reason: DropReason): void {
    this.#droppedCount += 1
    if (reason === 'budget') this.isTruncated = true
    const isNamed = this.#dropped.some((one) => one.source === identifier && one.kind === kind && one.reason === reason)
    if (!isNamed && this.#dropped.length < MAX_DROPPED) this.#dropped.push({ source: identifier, kind, reason })
  }

  #take({ ref, text, startLine, endLine }: Piece, room: number, least = 0): boolean {
    if (isFarTooLong({ ref, text, startLine, endLine }, room)) return false
    const { text: content, redactions } = text.excerpt(startLine, endLine)
    if (this.#contents.has(content)) {
      this.drop(ref, 'duplicate')
      return true
    }
    const { kind, identifier: source } = ref
    const snippet = { source, kind, span: `${startLine}-${endLine}`, sha256: text.sha256, retrieved_at: this.#options.retrievedAt, content }
    const cost = this.#cost(snippet)
    if (cost > room || (least > 0 && this.#options.count(content) < least)) return false
    this.#spent += cost
    this.#held.push({ snippet, redactions })
    this.#contents.add(content)
    this.#taken.set(sourceKey(ref), [...(this.#taken.get(sourceKey(ref)) ?? []), [startLine, endLine]])
    return true
  }

  #cost(part: Snippet | Dropped): number {
    return this.#options.count(JSON.stringify('content' in part ? { ...part, content: framed(part.content) } : part)) + SLACK_EACH
  }

  /** What the answer costs with these snippets. */
  #measure(snippets: readonly Snippet[]): number {
    const shown = snippets.map((snippet) => ({ ...snippet, content: framed(snippet.content) }))
    const frame = { notice: NOTICE, token_estimate: 9_999_999, truncated: false, redactions: 9_999, code_index: LONGEST_FRESHNESS, snippets: shown, dropped: { count: 9_999, first: [] } }
    return this.#options.count(JSON.stringify(frame)) + SLACK_EACH * snippets.length
  }

  /** The answer, counted once more as a whole: sums of parts can be wrong by what happens where they meet. */
  finish() {
    const { budget } = this.#options
    const snippets = this.#held.map(({ snippet }) => snippet)
    let spent = this.#measure(snippets)
    while (spent > budget && snippets.length > 0) {
      const { source: identifier = '', kind = 'doc' } = snippets.pop() ?? {}
      this.drop({ kind, identifier }, 'budget')
      spent = this.#measure(snippets)
    }
    const dropped: Dropped[] = []
    for (const one of this.#dropped) {
      const cost = this.#cost(one)
      if (spent + cost > budget) continue
      spent += cost
      dropped.push(one)
    }
    const redactions = this.#held.slice(0, snippets.length).reduce((sum, one) => sum + one.redactions, 0)
    return { token_estimate: spent, truncated: this.isTruncated, redactions, snippets, dropped: { count: this.#droppedCount, first: dropped } }
  }
}
