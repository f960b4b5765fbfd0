/** What a scan of folders is to those who use it. */

import type { ReadLimit } from './opened-file.ts'

/** A folder that a scan is about to pass through. */
export interface ScannedFolder {
  /** From the root, in normal form C, without a last slash; empty for the root. */
  readonly path: string
  /** A regular file right in it; undefined when there is none, or none that may be read. @throws Refusal `file.too-large`. */
  bytes(name: string, limit: ReadLimit): Uint8Array | undefined
}

export interface ScanOptions {
  /** Whether a file of this name in this folder, both in normal form C, is opened. */
  readonly wants: (name: string, folder: string) => boolean
  /** Whether a folder is passed through; asked before it is read, of the root and the folders of the prefix too. */
  readonly enters?: (folder: ScannedFolder) => boolean
  /** Hears the path of each regular file that was not wanted, or could not be opened; never of credentials. */
  readonly onLeft?: (path: string, why: 'unwanted' | 'unreadable') => void
  /** Names looked at in one scan; beyond, it is refused as `file.too-large`. 100,000 by default. */
  readonly maxNames?: number
  /** Hears the path of each private file that a write under way, or one that was killed, has there. */
  readonly onDraft?: (path: string) => void
}

/** Holds a handle of the root until it is closed. */
export interface FolderScan {
  /** Where the root really is. */
  readonly root: string
  /**
   * Files whose path starts with the prefix, by code point. Each is closed when the next one is asked for, and
   * the last when the iteration ends. @throws Refusal `path.invalid` or `file.too-large`.
   */
  files(prefix: string, options: ScanOptions): Iterable<ScannedFile>
  close(): void
}

/** A regular file that passed every check. */
export interface ScannedFile {
  /** From the root, in normal form C. */
  readonly path: string
  /** Bytes, when it was opened. */
  readonly size: number
  /** Last change of the content, in milliseconds since 1970-01-01 UTC. */
  readonly modifiedMs: number
  /** From the start, until it is closed. @throws Refusal `file.too-large`. */
  bytes(limit: ReadLimit): Uint8Array
}
