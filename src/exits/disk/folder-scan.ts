/**
 * The files below a root, in the order of their paths, each opened in passing. Folders are held while they are
 * read, so a file costs four system calls where a walk of its own would cost twenty. Links are not followed:
 * every file has one path. What names credentials, is no regular file or cannot be opened is left out.
 */

import { closeSync, constants, type Dir, type Dirent, fstatSync, opendirSync, openSync, realpathSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { isBeingPublished, isDraft } from './atomic-write.ts'
import { diskError, unavailable } from './disk-error.ts'
import { openedFile, type ReadLimit } from './opened-file.ts'
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

const MAX_DEPTH = 256
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
/** Names that are the same in every normal form and hold nothing that needs a closer look. */
const PLAIN_NAME = /^\w[\w .-]{0,80}$/

interface Name {
  /** In normal form C. */
  readonly name: string
  /** As the folder spells it. */
  readonly spelled: string
  readonly isFolder: boolean
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

/** A class and no closures: a listing makes thousands. */
class OpenFile implements ScannedFile {
  readonly path: string
  readonly #fd: number
  readonly #stats: Stats
  #isOpen = true

  constructor(path: string, fd: number, stats: Stats) {
    this.path = path
    this.#fd = fd
    this.#stats = stats
  }

  get size(): number {
    return this.#stats.size
  }

  get modifiedMs(): number {
    return this.#stats.mtimeMs
  }

  bytes(limit: ReadLimit): Uint8Array {
    if (!this.#isOpen) throw new TypeError('the file is closed')
    return openedFile(this.#fd, this.#stats, []).bytes(limit)
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#fd)
    this.#isOpen = false
  }
}

/** A folder on the way to the file that is next. */
interface Level {
  readonly pin: Pin
  readonly names: readonly string[]
  /** What its files' paths start with: empty, or with a last slash. */
  readonly path: string
  readonly entries: readonly Name[]
  next: number
}

/** One pass over the files below a folder. It holds the folders on its way and the file that it gave last. */
class FileIterator implements IterableIterator<ScannedFile> {
  readonly #root: Pin
  readonly #pinAt: PinAt
  readonly #options: ScanOptions
  /** Folders held; those of the prefix are not read. */
  readonly #held: Pin[] = []
  readonly #levels: Level[] = []
  #namesLeft: number
  #file: OpenFile | undefined

  constructor(root: Pin, pinAt: PinAt, options: ScanOptions) {
    this.#root = root
    this.#pinAt = pinAt
    this.#options = options
    this.#namesLeft = options.maxNames ?? 100_000
  }

  /** @throws Refusal. Releases everything when it does. */
  start(prefix: string): this {
    return this.#guarded(() => {
      const { above, start } = splitPrefix(prefix)
      let pin: Pin = this.#root
      for (const [depth] of above.entries()) {
        const entered = this.#enter(pin, above.slice(0, depth + 1))
        if (entered === undefined) return this
        this.#held.push(entered)
        pin = entered
      }
      this.#levels.push(this.#level(pin, above, start))
      return this
    })
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<ScannedFile, undefined> {
    return this.#guarded(() => {
      this.#file?.close()
      for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
        const entry = level.entries[level.next]
        level.next += 1
        if (entry === undefined) this.#leave()
        else if (entry.isFolder) this.#descend(level, entry)
        else if (this.#openIn(level, entry)) return { done: false, value: this.#file as ScannedFile }
      }
      return this.return()
    })
  }

  return(): { readonly done: true; readonly value: undefined } {
    this.#file?.close()
    this.#levels.length = 0
    for (const pin of this.#held.splice(0)) pin.release()
    return { done: true, value: undefined }
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.return()
      throw diskError(error)
    }
  }

  #leave(): void {
    this.#levels.pop()
    if (this.#levels.length > 0) this.#held.pop()?.release()
  }

  #descend({ pin, names }: Level, { name }: Name): void {
    const below = [...names, name]
    const entered = this.#enter(pin, below)
    if (entered === undefined) return
    this.#held.push(entered)
    this.#levels.push(this.#level(entered, below, ''))
  }

  /** The folder of the last name, held; undefined when it is none that may be entered. */
  #enter(folder: Pin, names: readonly string[]): Pin | undefined {
    if (names.length > MAX_DEPTH || holdsCredentials(names)) return undefined
    const pin = pinChild({ pinAt: this.#pinAt }, folder, names.at(-1) ?? '')?.pin
    if (pin?.stats.isDirectory() && isWithin(this.#root.real(), pin.real())) return pin
    pin?.release()
    return undefined
  }

  #level(pin: Pin, names: readonly string[], start: string): Level {
    const path = names.map((name) => `${name}/`).join('')
    return { pin, names, path, entries: this.#entriesOf(pin, path, start), next: 0 }
  }

  #entriesOf(folder: Pin, path: string, start: string): readonly Name[] {
    const found = new Map<string, Name>()
    const handle = openedFolder(folder)
    if (handle === undefined) return []
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        this.#namesLeft -= 1
        if (!(this.#namesLeft >= 0)) throw refusal('file.too-large', 'the folders hold too many names')
        if (isDraft(entry.name)) this.#options.onDraft?.(path + entry.name)
        else keep(found, nameOf(entry), start, this.#options)
      }
    } finally {
      handle.closeSync()
    }
    return [...found.values()].sort(byPath)
  }

  #openIn(level: Level, { name, spelled }: Name): boolean {
    if (holdsCredentials([...level.names, name])) return false
    const fd = this.#handle(`${level.pin.path}/${spelled}`)
    if (fd === undefined) return false
    let isKept = false
    try {
      const stats = fstatSync(fd)
      isKept = stats.isFile() && (stats.nlink === 1 || isBeingPublished(level.pin, stats, { pinAt: this.#pinAt }))
      if (isKept) this.#file = new OpenFile(level.path + name, fd, stats)
      return isKept
    } finally {
      if (!isKept) closeSync(fd)
    }
  }

  /** A held folder cannot be swapped, so its files are opened without another look; elsewhere a pin looks again. */
  #handle(path: string): number | undefined {
    try {
      if (this.#pinAt === pinByHandle) return openSync(path, OPEN_FLAGS)
      const pin = this.#pinAt(path)
      try {
        return pin.open(OPEN_FLAGS)
      } finally {
        pin.release()
      }
    } catch (error) {
      return unlessRefused(error)
    }
  }
}

/** @returns undefined for a folder that went away or may not be read. */
const openedFolder = (folder: Pin): Dir | undefined => {
  try {
    return opendirSync(folder.path)
  } catch (error) {
    return unlessRefused(error)
  }
}

/** What is not there to be used is left out; a fault is a fault. */
const unlessRefused = (error: unknown): undefined => {
  const told = diskError(error)
  if (!(told instanceof Refusal)) throw told
}

/** Two spellings of one name are one file: the one in normal form C, as the jail looks for it first. */
const keep = (found: Map<string, Name>, entry: Name | undefined, start: string, { wants }: ScanOptions): void => {
  if (entry === undefined || !entry.name.startsWith(start)) return
  if (!entry.isFolder && !wants(entry.name)) return
  if (entry.name === entry.spelled || !found.has(entry.name)) found.set(entry.name, entry)
}

/** @throws Refusal `file.unavailable` when there is no such folder. */
export const openFolderScan = (root: string, { pinAt = defaultPinAt }: { readonly pinAt?: PinAt } = {}): FolderScan => {
  const pin = pinFolder(root, pinAt)
  let isOpen = true
  return {
    root: pin.real(),
    files: (prefix, options) => {
      if (!isOpen) throw unavailable('root')
      return new FileIterator(pin, pinAt, options).start(prefix)
    },
    close() {
      if (isOpen) pin.release()
      isOpen = false
    },
  }
}

const pinFolder = (root: string, pinAt: PinAt): Pin => {
  try {
    const pin = pinAt(realpathSync(resolve(root)))
    if (pin.stats.isDirectory()) return pin
    pin.release()
    throw unavailable('root')
  } catch (error) {
    throw diskError(error)
  }
}
