/** The search that a stranger's agent may run over one folder: addresses of declarations, a line or a few of each, never a body. */

import type { Awaitable } from '../awaitable.ts'
import type { RepoAsker } from './repo.ts'
import type { SessionEntry, SessionHead } from './sessions.ts'
import type { SymbolKind } from './symbols.ts'

/** `snippets` gives a few lines of each declaration beside its address, `signatures` one. */
export const DETAILS = ['signatures', 'snippets'] as const
export type Detail = (typeof DETAILS)[number]

export interface WorkspaceQuery {
  readonly text: string
  /** A file, or a folder with all below it; empty for the whole workspace. */
  readonly path: string
  /** Only declarations of these kinds; undefined for all. */
  readonly kinds: readonly SymbolKind[] | undefined
  /** 1 to 50. */
  readonly limit: number
  readonly detail: Detail
}

export interface WorkspaceHit {
  readonly path: string
  /** Where the name stands, from 1. */
  readonly line: number
  readonly kind: string
  readonly name: string
  /** Credentials replaced. Empty for a chunk that is a whole file. */
  readonly text: string
}

/** `building`: not every file was seen yet. `partial`: more files than are indexed, or a look that failed. */
export type IndexState = 'building' | 'complete' | 'partial'

export interface WorkspaceFound {
  /** Where was searched, as the tree spells it. */
  readonly path: string
  readonly hits: readonly WorkspaceHit[]
  /** Whether there are more than were asked for. */
  readonly more: boolean
  readonly index: {
    readonly state: IndexState
    /** When the tree was last seen as a whole, in milliseconds since 1970-01-01 UTC; null when it never was. */
    readonly asOfMs: number | null
  }
}

/** Files that may not be shown take no place in an answer and change no number, order or statement of it. */
export interface WorkspaceSearch {
  /** @throws Refusal that the signal carries. */
  search(query: WorkspaceQuery, asker: RepoAsker): Promise<WorkspaceFound>
}

/** The conversations held over the one workspace that is served, to be read and nothing else. */
export interface WorkspaceHistory {
  /** Newest first, at most `limit`. */
  list(limit: number): Awaitable<readonly SessionHead[]>
  /** The last `limit` entries, oldest first; `undefined` when there is no such conversation here. */
  read(id: string, limit: number): Awaitable<readonly SessionEntry[] | undefined>
}
