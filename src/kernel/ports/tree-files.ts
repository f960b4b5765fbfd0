/** Files of one folder as an assistant that nobody watches uses them: every path is from that folder, and nothing outside is named. */

import type { LocalEntry } from './local-files.ts'

export interface TreeLimits {
  readonly maxResults: number
  readonly signal: AbortSignal
}

export interface TreeText {
  readonly path: string
  readonly text: string
}

export interface TreeMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly snippet: string
}

/** One text that is replaced by another; the old one must stand in the file exactly once. */
export interface TreeEdit {
  readonly oldText: string
  readonly newText: string
}

export interface TreeWritten {
  readonly path: string
  readonly replaced: boolean
  /** Bytes. */
  readonly size: number
}

/** Every method throws Refusal `access.denied`, `path.*` or `file.*` as the walls around the folder say. */
export interface TreeFiles {
  /** UTF-8 only. */
  read(path: string): Promise<TreeText>
  list(path: string): Promise<{ readonly path: string; readonly entries: readonly LocalEntry[]; readonly truncated: boolean }>
  /** Files below a folder that the pattern covers. */
  find(path: string, pattern: string, limits: TreeLimits): Promise<{ readonly paths: readonly string[]; readonly truncated: boolean }>
  /** Lines that hold a text, letter case apart; in one file, or in those below a folder that the pattern covers. */
  search(path: string, query: string, limits: TreeLimits & { readonly pattern?: string | undefined }): Promise<{ readonly matches: readonly TreeMatch[]; readonly truncated: boolean }>
  /** @param run what the change is taken back with. */
  write(path: string, text: string, run: string): Promise<TreeWritten>
  /** All of the edits, or none. @throws Refusal `edit.mismatch`. */
  edit(path: string, edits: readonly TreeEdit[], run: string): Promise<TreeWritten>
}
