/**
 * The files below a root, in the order of their paths, each opened in passing. Folders are held while they are
 * read, so a file costs four system calls where a walk of its own would cost twenty. Links are not followed:
 * every file has one path. What names credentials, is no regular file or cannot be opened is left out.
 */

import { closeSync, constants, type Dir, type Dirent, fstatSync, opendirSync, openSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { isBeingPublished, isDraft } from './atomic-write.ts'
import { diskError, unavailable } from './disk-error.ts'
import { type OpenedFile, openedFile } from './opened-file.ts'
import { type Pin, type PinAt, pinAt as defaultPinAt, pinByHandle } from './pin.ts'
import { isWithin, pinChild } from './walk.ts'

export interface ScanOptions {
  /** Whether a file of this name, in normal form C, is opened. */
  readonly wants: (name: string) => boolean
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
  files(prefix: string, options: ScanOptions): Iterable<OpenedFile>
  close(): void
}

const MAX_DEPTH = 256
/** Names that are the same in every normal form and hold nothing that needs a closer look. */
const PLAIN_NAME = /^\w[\w .-]{0,80}$/

interface Name {
  /** In normal form C. */
  readonly name: string
  /** As the folder spells it. */
  readonly spelled: string
  readonly isFolder: boolean
}

interface Pass extends ScanOptions {
  left: number
}

/** Code units put characters beyond U+FFFF before some that come earlier; UTF-8 bytes do not. */
const compare = (one: string, other: string): number =>
  /[\ud800-\udfff]/.test(one + other) ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : one < other ? -1 : 1

/** A folder stands where the paths below it do. */
const byPath = (one: Name, other: Name): number =>
  compare(one.isFolder ? `${one.name}/` : one.name, other.isFolder ? `${other.name}/` : other.name)

const isSpeakable = (spelled: string, name: string): boolean => {
  const parsed = parseRelativePath(name)
  if (parsed instanceof Refusal || parsed.length !== 1) return false
  return spelled === name || spelled === name.normalize('NFD')
}

const nameOf = (entry: Dirent): Name | undefined => {
  const isFolder = entry.isDirectory()
  if (!isFolder && !entry.isFile()) return undefined
  const spelled = entry.name
  if (PLAIN_NAME.test(spelled)) return { name: spelled, spelled, isFolder }
  const name = spelled.normalize('NFC')
  return isSpeakable(spelled, name) ? { name, spelled, isFolder } : undefined
}

const splitPrefix = (prefix: string): { readonly above: readonly string[]; readonly start: string } => {
  if (prefix === '') return { above: [], start: '' }
  const parsed = parseRelativePath(prefix)
  if (parsed instanceof Refusal) throw parsed
  const names = parsed.filter((name) => name !== FOLDER_MARK)
  const isWhole = prefix.endsWith('/') || names.length === 0
  return isWhole ? { above: names, start: '' } : { above: names.slice(0, -1), start: names.at(-1) ?? '' }
}

class OpenScan implements FolderScan {
  readonly #root: Pin
  readonly #pinAt: PinAt
  #isOpen = true

  constructor(root: Pin, pinAt: PinAt) {
    this.#root = root
    this.#pinAt = pinAt
  }

  get root(): string {
    return this.#root.real()
  }

  *files(prefix: string, options: ScanOptions): Generator<OpenedFile> {
    if (!this.#isOpen) throw unavailable('root')
    const { above, start } = splitPrefix(prefix)
    const way: Pin[] = []
    try {
      for (const [depth] of above.entries()) {
        const pin = this.#enter(way.at(-1) ?? this.#root, above.slice(0, depth + 1))
        if (pin === undefined) return
        way.push(pin)
      }
      yield* this.#below(way.at(-1) ?? this.#root, above, start, { ...options, left: options.maxNames ?? 100_000 })
    } catch (error) {
      throw diskError(error)
    } finally {
      for (const pin of way) pin.release()
    }
  }

  close(): void {
    if (this.#isOpen) this.#root.release()
    this.#isOpen = false
  }

  /** The folder of the last name, held; undefined when it is none that may be entered. */
  #enter(folder: Pin, names: readonly string[]): Pin | undefined {
    if (names.length > MAX_DEPTH || holdsCredentials(names)) return undefined
    const pin = pinChild({ pinAt: this.#pinAt }, folder, names.at(-1) ?? '')?.pin
    if (pin?.stats.isDirectory() && isWithin(this.root, pin.real())) return pin
    pin?.release()
    return undefined
  }

  *#below(folder: Pin, above: readonly string[], start: string, pass: Pass): Generator<OpenedFile> {
    for (const entry of this.#namesIn(folder, above, start, pass)) {
      const names = [...above, entry.name]
      if (entry.isFolder) yield* this.#inside(folder, names, pass)
      else yield* this.#opened(folder, entry.spelled, names)
    }
  }

  *#inside(folder: Pin, names: readonly string[], pass: Pass): Generator<OpenedFile> {
    const pin = this.#enter(folder, names)
    if (pin === undefined) return
    try {
      yield* this.#below(pin, names, '', pass)
    } finally {
      pin.release()
    }
  }

  #namesIn(folder: Pin, above: readonly string[], start: string, pass: Pass): readonly Name[] {
    const found = new Map<string, Name>()
    const handle = openedFolder(folder)
    if (handle === undefined) return []
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        pass.left -= 1
        if (!(pass.left >= 0)) throw refusal('file.too-large', 'the folders hold too many names')
        if (isDraft(entry.name)) pass.onDraft?.([...above, entry.name].join('/'))
        else keep(found, nameOf(entry), start, pass)
      }
    } finally {
      handle.closeSync()
    }
    return [...found.values()].sort(byPath)
  }

  *#opened(folder: Pin, spelled: string, names: readonly string[]): Generator<OpenedFile> {
    if (holdsCredentials(names)) return
    const file = this.#open(folder, spelled, names)
    if (file === undefined) return
    try {
      yield file
    } finally {
      file.close()
    }
  }

  #open(folder: Pin, spelled: string, names: readonly string[]): OpenedFile | undefined {
    let fd: number | undefined
    try {
      fd = this.#handle(`${folder.path}/${spelled}`)
      const stats = fstatSync(fd)
      const isOnly = stats.nlink === 1 || isBeingPublished(folder, stats, { pinAt: this.#pinAt })
      if (!stats.isFile() || !isOnly) return undefined
      const file = openedFile(fd, stats, names)
      fd = undefined
      return file
    } catch (error) {
      const told = diskError(error)
      if (told instanceof Refusal) return undefined
      throw told
    } finally {
      if (fd !== undefined) closeSync(fd)
    }
  }

  /** A held folder cannot be swapped, so its files are opened without another look; elsewhere a pin looks again. */
  #handle(path: string): number {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
    if (this.#pinAt === pinByHandle) return openSync(path, flags)
    const pin = this.#pinAt(path)
    try {
      return pin.open(flags)
    } finally {
      pin.release()
    }
  }
}

/** @returns undefined for a folder that went away or may not be read. */
const openedFolder = (folder: Pin): Dir | undefined => {
  try {
    return opendirSync(folder.path)
  } catch (error) {
    const told = diskError(error)
    if (told instanceof Refusal) return undefined
    throw told
  }
}

/** Two spellings of one name are one file: the one in normal form C, as the jail looks for it first. */
const keep = (found: Map<string, Name>, entry: Name | undefined, start: string, { wants }: ScanOptions): void => {
  if (entry === undefined || !entry.name.startsWith(start)) return
  if (!entry.isFolder && !wants(entry.name)) return
  if (entry.name === entry.spelled || !found.has(entry.name)) found.set(entry.name, entry)
}

/** @throws Refusal `file.unavailable` when there is no such folder. */
export const openFolderScan = (root: string, { pinAt = defaultPinAt }: { readonly pinAt?: PinAt } = {}): FolderScan => {
  try {
    const pin = pinAt(realpathSync(resolve(root)))
    if (pin.stats.isDirectory()) return new OpenScan(pin, pinAt)
    pin.release()
    throw unavailable('root')
  } catch (error) {
    throw diskError(error)
  }
}
