/** The way of a scan through its folders. Each folder is held while it is passed, and found to be inside before. */

import { closeSync, constants, type Dir, fstatSync, opendirSync, openSync } from 'node:fs'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { isBeingPublished, isDraft } from './atomic-write.ts'
import { diskError } from './disk-error.ts'
import { byPath, keep, type Name, nameOf, splitPrefix } from './folder-names.ts'
import type { ScannedFile, ScanOptions } from './folder-scan-port.ts'
import { openedFile, type ReadLimit } from './opened-file.ts'
import { type Pin, type PinAt, pinByHandle } from './pin.ts'
import { OpenFile } from './scanned-file.ts'
import { isWithin, pinChild } from './walk.ts'

const MAX_DEPTH = 256
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

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
export class FileIterator implements IterableIterator<ScannedFile> {
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
      if (!this.#mayPass(pin, [])) return this
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
    if (pin?.stats.isDirectory() && isWithin(this.#root.real(), pin.real()) && this.#mayPass(pin, names)) return pin
    pin?.release()
    return undefined
  }

  #mayPass(pin: Pin, names: readonly string[]): boolean {
    const { enters } = this.#options
    return enters === undefined || enters({ path: names.join('/'), bytes: (name, limit) => this.#read(pin, name, limit) })
  }

  /** Read by the folder's own handle, so that it is a file of that very folder. */
  #read(folder: Pin, name: string, limit: ReadLimit): Uint8Array | undefined {
    const fd = this.#handle(`${folder.path}/${name}`)
    if (fd === undefined) return undefined
    try {
      const stats = fstatSync(fd)
      return stats.isFile() && stats.nlink === 1 ? openedFile(fd, stats, []).bytes(limit) : undefined
    } finally {
      closeSync(fd)
    }
  }

  #level(pin: Pin, names: readonly string[], start: string): Level {
    const path = names.map((name) => `${name}/`).join('')
    return { pin, names, path, entries: this.#entriesOf(pin, names, start), next: 0 }
  }

  #entriesOf(folder: Pin, names: readonly string[], start: string): readonly Name[] {
    const path = names.map((name) => `${name}/`).join('')
    const found = new Map<string, Name>()
    const { wants: wantsFile, onLeft } = this.#options
    const folderPath = path.slice(0, -1)
    const wants = ({ name, isFolder }: Name): boolean => {
      if (!name.startsWith(start)) return false
      if (isFolder || wantsFile(name, folderPath)) return true
      if (onLeft && !holdsCredentials([...names, name])) onLeft(path + name, 'unwanted')
      return false
    }
    const handle = openedFolder(folder)
    if (handle === undefined) return []
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        this.#namesLeft -= 1
        if (!(this.#namesLeft >= 0)) throw refusal('file.too-large', 'the folders hold too many names')
        if (isDraft(entry.name)) this.#options.onDraft?.(path + entry.name)
        else keep(found, nameOf(entry), wants)
      }
    } finally {
      handle.closeSync()
    }
    return [...found.values()].sort(byPath)
  }

  #openIn(level: Level, { name, spelled }: Name): boolean {
    if (holdsCredentials([...level.names, name])) return false
    const fd = this.#handle(`${level.pin.path}/${spelled}`)
    if (fd === undefined) return this.#left(level.path + name)
    let isKept = false
    try {
      const stats = fstatSync(fd)
      isKept = stats.isFile() && (stats.nlink === 1 || isBeingPublished(level.pin, stats, { pinAt: this.#pinAt }))
      if (isKept) this.#file = new OpenFile(level.path + name, fd, stats)
      return isKept || this.#left(level.path + name)
    } finally {
      if (!isKept) closeSync(fd)
    }
  }

  #left(path: string): false {
    this.#options.onLeft?.(path, 'unreadable')
    return false
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
