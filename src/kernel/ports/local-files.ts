/** Files of the person at this machine: by absolute path, inside the folders that the path policy allows. */

import type { Access } from '../access.ts'

export type LocalUse = 'read' | 'write' | 'delete'

export interface LocalEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes of a file; 0 for everything else. */
  readonly size: number
}

export interface LocalText {
  /** Absolute, without links. */
  readonly path: string
  readonly text: string
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string
}

export interface LocalMatch {
  readonly path: string
  readonly line: number
  readonly snippet: string
}

export interface LocalLimits {
  readonly maxResults: number
  /** Only files that it covers are searched. @default every one */
  readonly pattern?: string | undefined
  readonly signal: AbortSignal
}

/** What a change is made for and with. */
export interface ChangeHow {
  /** Everything that one request changes is undone together. */
  readonly run: string
  /** Digest of what must stand there, `absent` for nothing; undefined where it does not matter. */
  readonly agreedTo: string | undefined
}

export interface Changed {
  readonly path: string
  readonly replaced: boolean
  readonly size: number
}

/**
 * Every method throws Refusal `path.invalid`, `path.outside`, `path.denied` or `path.protected` before anything is
 * touched, and `file.*` for what is not there to be used.
 */
export interface LocalFiles {
  /** The absolute names that the path policy has allowed: as written, and the real one where it differs, also of what is not there yet. */
  places(path: string, use: LocalUse): Promise<readonly string[]>
  exists(path: string): Promise<boolean>
  /** UTF-8 only. */
  read(path: string): Promise<LocalText>
  list(path: string): Promise<{ readonly path: string; readonly entries: readonly LocalEntry[]; readonly truncated: boolean }>
  /** Files below a folder whose path from it the pattern covers. What may not be read leaves no trace. */
  find(path: string, pattern: string, limits: LocalLimits): Promise<{ readonly paths: readonly string[]; readonly truncated: boolean }>
  search(path: string, query: string, limits: LocalLimits): Promise<{ readonly matches: readonly LocalMatch[]; readonly truncated: boolean }>
  write(path: string, text: string, how: ChangeHow): Promise<Changed>
  /** What the file would say; the text must stand in it exactly once. @throws Refusal `edit.mismatch`. */
  edited(path: string, oldText: string, newText: string): Promise<LocalText>
  edit(path: string, oldText: string, newText: string, how: ChangeHow): Promise<Changed>
  copy(source: string, target: string, how: ChangeHow): Promise<Changed>
  move(source: string, target: string, how: ChangeHow): Promise<Changed>
  /** One file, or a link itself. */
  remove(path: string, how: ChangeHow): Promise<{ readonly path: string }>
}

/** One change that was taken back, or could not be. */
export interface Undone {
  readonly path: string
  readonly state: 'restored' | 'changed-since' | 'refused'
}

export interface UndoneRun {
  readonly run: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number
  readonly changes: readonly Undone[]
}

export interface Undo {
  /** The newest first; those that were undone are left out. */
  runs(): Promise<readonly { readonly run: string; readonly at: number; readonly paths: readonly string[] }[]>
  /** Puts back what the run changed, and nothing else. Without a name: the newest. @throws Refusal `undo.missing`. */
  undo(run?: string): Promise<UndoneRun>
}

export const localFile = (action: Access['action'], path: string): Access => ({ action, kind: 'local_file', id: path })
