/** What the thread that reads a repository is asked, and what it answers. */

import type { GitChange, GitCommit } from '../../kernel/ports/host.ts'

export type Question =
  | { readonly ask: 'status' }
  | { readonly ask: 'log'; readonly ref: string; readonly max: number }
  | { readonly ask: 'diff'; readonly from: string; readonly to: string | undefined }
  | { readonly ask: 'branches' }
  | { readonly ask: 'info' }

export interface Job {
  /** Absolute folder of the working tree, without links; `.git` is a folder in it. */
  readonly tree: string
  readonly question: Question
}

export interface BothTexts {
  readonly path: string
  readonly before: string
  readonly after: string
}

export interface Answers {
  readonly status: { readonly branch: string; readonly changes: readonly GitChange[]; readonly truncated: boolean }
  readonly log: readonly GitCommit[]
  readonly diff: { readonly files: readonly BothTexts[]; readonly truncated: boolean }
  readonly branches: { readonly current: string; readonly local: readonly string[]; readonly remote: readonly string[] }
  readonly info: { readonly branch: string; readonly head: string; readonly remotes: readonly { readonly name: string; readonly url: string }[]; readonly tags: readonly string[] }
}

/** `limit`: it holds more than is read; `repository`: it cannot be read as one. */
export type Told = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly why: 'limit' | 'repository' }
