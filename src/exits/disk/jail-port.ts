/** What a jail is to those who use it: one folder, its options, and what can be done in it. */

import type { Stats } from 'node:fs'
import type { Entry } from './list-folder.ts'
import type { OpenedFile, ReadLimit } from './opened-file.ts'
import type { PinAt } from './pin.ts'
import type { Refusal } from '../../kernel/refusal.ts'

export interface JailOptions {
  /** Reads files that have a second name, which may lie outside. Off by default. */
  readonly allowHardLinks?: boolean
  /** Lifts the rule of `policy/credential-paths.ts`. Off by default. */
  readonly allowCredentials?: boolean
  /** A rule of the operator's own: asked about every place as it was written and as it really is. */
  readonly judge?: (names: readonly string[], use: 'read' | 'write') => Refusal | undefined
  /** How places are held; the best that the platform has by default. */
  readonly pinAt?: PinAt
  /** Called before every look at the disk, for tests of races. */
  readonly onStep?: () => void
}

export interface PlaceStats {
  readonly kind: 'file' | 'folder'
  /** Bytes of a file; meaningless for a folder. */
  readonly size: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly modifiedMs: number
  /** Names that the file has on its disk. */
  readonly links: number
  /** Names from the root, without links. */
  readonly names: readonly string[]
}

export interface WriteHow {
  readonly overwrite: boolean
  /** Permission bits. @default those of what is replaced; of a new file, the owner's alone */
  readonly mode?: number
}

/** What has a name itself: a link is not followed. */
export interface Standing {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes of a file. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  readonly modifiedMs: number
  /** Where a link leads, as it is written. */
  readonly target: string | undefined
  readonly stats: Stats
}

/**
 * Every method throws Refusal `path.invalid` for a path that is not relative and plain, `file.credential` for
 * one that names credentials (as written or behind links), and `file.unavailable` for all that is not there to
 * be used. Writing and removing follow links between folders but never a link in the last place.
 */
export interface Jail {
  /** The caller closes it. */
  openForRead(path: string): Promise<OpenedFile>
  /** @throws Refusal `file.too-large`. */
  readBytes(path: string, limit: ReadLimit): Promise<Uint8Array>
  /** UTF-8 only. @throws Refusal `file.too-large`. */
  readText(path: string, limit: ReadLimit): Promise<string>
  /** At most `maxEntries`, 10,000 by default. @throws Refusal `file.too-large`. */
  list(path: string, limit?: { readonly maxEntries?: number }): Promise<readonly Entry[]>
  stat(path: string): Promise<PlaceStats>
  /** Whole or not at all, on disk when it returns; makes missing folders. @throws Refusal `file.exists`. */
  writeFile(path: string, bytes: Uint8Array, how: WriteHow): Promise<void>
  /** Takes away one file, or a link itself; never a folder. */
  remove(path: string): Promise<void>
  /** What has that name, or undefined for nothing; also where the folder above is missing. */
  look(path: string): Promise<Standing | undefined>
  /** Gives a file or a link another name below the root; makes missing folders. @throws Refusal `file.exists`. */
  rename(from: string, to: string, how: { readonly overwrite: boolean }): Promise<void>
  /** Makes a link, whatever it leads to. @throws Refusal `file.exists`. */
  makeLink(path: string, target: string): Promise<void>
  /** Takes away one folder that holds nothing. */
  removeFolder(path: string): Promise<void>
  /** Makes the folder and those above it; does nothing if it is there. */
  makeDirectory(path: string): Promise<void>
  /** Lets go of the root; every later call is refused. */
  close(): void
}
