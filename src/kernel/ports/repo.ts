/** The source tree that the code tools read: files by path, search, outlines and imports, each answer stamped. */

import type { Access } from '../access.ts'
import type { SymbolKind } from './symbols.ts'

type Awaitable<T> = T | Promise<T>

/**
 * Why a file that the caller may read was not looked into. `ignored` counts what a `.gitignore` names, a folder as one;
 * `language` files whose imports nobody here can read.
 * Files of credentials and folders that the operator excluded are counted nowhere.
 */
export const REPO_SKIPS = ['binary', 'encoding', 'extension', 'ignored', 'language', 'syntax', 'time', 'too-large', 'unreadable'] as const
export type RepoSkip = (typeof REPO_SKIPS)[number]

/** The limit that ended an answer early. */
export const REPO_LIMITS = ['answer', 'bytes', 'files', 'names', 'results', 'snippets', 'time'] as const
export type RepoLimit = (typeof REPO_LIMITS)[number]

/** What an answer is about, and how much of it. */
export interface RepoStamp {
  /** SHA-256 over path, size and time of change of every file seen, in hex: it differs once one of them does. */
  readonly state: string
  /** Files that the caller may read and that were looked at, skipped ones of an allowed extension included. */
  readonly filesSeen: number
  /** Only reasons that occurred, by name. */
  readonly skipped: readonly { readonly reason: RepoSkip; readonly count: number }[]
  /** Undefined when everything below the prefix was looked at. */
  readonly truncated: RepoLimit | undefined
}

/** Who asks, as far as a walk must know. */
export interface RepoAsker {
  /** Asked for every file, before anything about it is counted. */
  may(access: Access): Awaitable<boolean>
  readonly signal: AbortSignal
  progress?(done: number, total?: number): void
}

export interface RepoMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly snippet: string
}

export interface RepoSearch extends RepoStamp {
  readonly matches: readonly RepoMatch[]
  /** Lines so long that their ends were not searched. */
  readonly linesCut: number
}

export interface RepoText {
  readonly path: string
  /** Whole lines, credentials replaced, line numbers as in the file. */
  readonly text: string
  /** From 1, inclusive; both 0 for an empty file. */
  readonly startLine: number
  readonly endLine: number
  readonly totalLines: number
  /** Bytes of the file. */
  readonly size: number
  /** SHA-256 of the whole file, in hex. */
  readonly state: string
  /** Whether fewer lines came than were asked for. */
  readonly isCut: boolean
  /** Credentials and personal data replaced in the whole file. */
  readonly redacted: number
}

export interface RepoSymbol {
  readonly path: string
  readonly name: string
  readonly kind: SymbolKind
  /** Names around it, joined by a dot; empty at the top. */
  readonly container: string
  /** From 1, inclusive. */
  readonly startLine: number
  readonly endLine: number
}

export interface RepoSymbols extends RepoStamp {
  readonly fileCount: number
  readonly symbols: readonly RepoSymbol[]
}

export interface RepoEdge {
  readonly source: string
  /** A path in the tree; otherwise the module as it is written. */
  readonly target: string
  readonly external: boolean
  /** `unresolved`: written like a file of the tree, but there is none. */
  readonly status: 'file' | 'external' | 'unresolved'
}

export interface RepoImports extends RepoStamp {
  readonly edges: readonly RepoEdge[]
}

export interface RepoQuery {
  readonly query: string
  /** Whether the query is an expression in RE2 syntax. */
  readonly regex: boolean
  /** Paths that start with it; a folder ends in `/`. Empty for the whole tree. */
  readonly prefix: string
}

/** A file of the tree as a walk meets it; `text` may be called before the next one is asked for. */
export interface RepoFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly modifiedMs: number
  /** Undefined when it is left out, which the walk has counted by then. */
  text(): string | undefined
}

/** One pass through the tree. */
export interface RepoWalk extends AsyncIterable<RepoFile> {
  /** Counts a file that was met, for a reason found later. */
  skip(reason: RepoSkip): void
  /** What was passed so far; `truncated` unless a limit of the walk itself came first. */
  stamp(truncated?: RepoLimit): RepoStamp
}

/**
 * Methods throw Refusal `path.invalid` for a path that is not relative and plain, `file.credential` for one that names
 * credentials, and `file.unavailable` for all that is no readable file of the tree.
 */
export interface Repo {
  /** By path; a link leads to where it points, and the caller must be allowed to read that too. */
  read(path: string, lines: { readonly start: number; readonly end: number }, asker: RepoAsker): Promise<RepoText>
  /** The folder that a path leads to behind a link; undefined where there is none, or none that the caller may know of. */
  linkedFolder(path: string, asker: RepoAsker): Promise<string | undefined>
  /** @throws Refusal `input.invalid` or `search.pattern` for a query that is none. */
  search(query: RepoQuery, asker: RepoAsker): Promise<RepoSearch>
  symbols(prefix: string, asker: RepoAsker): Promise<RepoSymbols>
  imports(prefix: string, asker: RepoAsker): Promise<RepoImports>
  /** For services that read the whole tree, such as an index. @param maxFiles met in one pass. */
  walk(prefix: string, asker: RepoAsker, maxFiles: number): RepoWalk
}
