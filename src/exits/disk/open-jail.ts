/** The work behind `jail.ts`: parse, judge the spelling, walk, judge the real place, and only then use it. */

import { closeSync, constants, fstatSync, type Stats, unlinkSync } from 'node:fs'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { isBeingPublished, writeAtomically } from './atomic-write.ts'
import { diskError, unavailable } from './disk-error.ts'
import type { Jail, JailOptions, PlaceStats } from './jail-port.ts'
import { type Entry, listFolder } from './list-folder.ts'
import { type OpenedFile, openedFile, type ReadLimit } from './opened-file.ts'
import type { Pin } from './pin.ts'
import { syncFolder } from './sync-folder.ts'
import { type Arrival, type Ground, isWithin, pinChild, walkTo } from './walk.ts'

/** Times that a file may be replaced under one read before that read gives up. */
const MAX_ATTEMPTS = 16

const parse = (path: string): readonly string[] => {
  const components = parseRelativePath(path)
  if (components instanceof Refusal) throw components
  return components
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** Folder and last name of a path that is about to be written or removed. */
const parseTarget = (path: string): { readonly above: readonly string[]; readonly name: string } => {
  const components = parse(path)
  const name = components.at(-1)
  if (name === undefined || name === FOLDER_MARK) throw unavailable('kind')
  return { above: components.slice(0, -1), name }
}

/** Names from the root to a place, as the kernel spells them now. @throws Refusal when it is not inside. */
const namesInside = ({ root }: Ground, pin: Pin): readonly string[] => {
  const top = root.real()
  const at = pin.real()
  if (!isWithin(top, at)) throw unavailable('outside')
  return at.slice(top.length).split('/').filter((name) => name !== '')
}

/** Holds the handle of its root until it is closed. */
export class OpenJail implements Jail {
  readonly #ground: Ground
  readonly #options: JailOptions
  #isOpen = true

  constructor(ground: Ground, options: JailOptions) {
    this.#ground = ground
    this.#options = options
  }

  async openForRead(path: string): Promise<OpenedFile> {
    return this.#guarded(() => this.#open(path))
  }

  async readBytes(path: string, limit: ReadLimit): Promise<Uint8Array> {
    return this.#guarded(() => this.#use(path, (file) => file.bytes(limit)))
  }

  async readText(path: string, limit: ReadLimit): Promise<string> {
    return this.#guarded(() => this.#use(path, (file) => file.text(limit)))
  }

  async list(path: string, { maxEntries = 10_000 }: { readonly maxEntries?: number } = {}): Promise<readonly Entry[]> {
    return this.#guarded(() => this.#visit(parse(path), ({ pin }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
      return listFolder(pin, maxEntries)
    }))
  }

  async stat(path: string): Promise<PlaceStats> {
    return this.#guarded(() => this.#visit(parse(path), ({ pin, names }) => {
      const { stats } = pin
      if (!stats.isFile() && !stats.isDirectory()) throw unavailable('kind')
      return { kind: stats.isFile() ? 'file' : 'folder', size: stats.size, modifiedMs: stats.mtimeMs, names }
    }))
  }

  async writeFile(path: string, bytes: Uint8Array, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    const ground = this.#ground
    this.#guarded(() => this.#visitTarget(path, true, (folder, name) => {
      const confirmInside = () => { namesInside(ground, folder) }
      writeAtomically(bytes, { ground, folder, name, overwrite, confirmInside })
    }))
  }

  async remove(path: string): Promise<void> {
    this.#guarded(() => this.#visitTarget(path, false, (folder, name) => {
      const child = pinChild(this.#ground, folder, name)
      child?.pin.release()
      if (child === undefined) throw unavailable('missing')
      if (!child.pin.stats.isFile() && !child.pin.stats.isSymbolicLink()) throw unavailable('kind')
      unlinkSync(`${folder.path}/${child.name}`)
      syncFolder(folder)
    }))
  }

  async makeDirectory(path: string): Promise<void> {
    this.#guarded(() => this.#visit(parse(path), ({ pin }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
    }, true))
  }

  close(): void {
    if (this.#isOpen) this.#ground.root.release()
    this.#isOpen = false
  }

  #guarded<T>(work: () => T): T {
    try {
      if (!this.#isOpen) throw unavailable('root')
      return work()
    } catch (error) {
      throw diskError(error)
    }
  }

  #checkCredentials(names: readonly string[]): void {
    if (this.#options.allowCredentials !== true && holdsCredentials(names)) throw refusal('file.credential')
  }

  /** Applies the rules to the path as written and as it really is, then hands the place out. */
  #visit<T>(components: readonly string[], use: (arrival: Arrival) => T, make = false): T {
    this.#checkCredentials(components)
    return walkTo(this.#ground, components, (arrival) => {
      const names = namesInside(this.#ground, arrival.pin)
      // The walk's own names count too: the kernel marks the name of what was removed meanwhile.
      if (!isEqual(arrival.names, components)) this.#checkCredentials(arrival.names)
      if (!isEqual(names, arrival.names)) this.#checkCredentials(names)
      return use({ ...arrival, names })
    }, { make })
  }

  #visitTarget(path: string, make: boolean, use: (folder: Pin, name: string) => void): void {
    const { above, name } = parseTarget(path)
    this.#checkCredentials([...above, name])
    this.#visit(above, ({ pin, names }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
      this.#checkCredentials([...names, name])
      use(pin, name)
    }, make)
  }

  #open(path: string): OpenedFile {
    const components = parse(path)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const file = this.#openOnce(components)
      if (file !== undefined) return file
    }
    throw unavailable('missing')
  }

  /** @returns undefined when the file lost its name to another between the walk and the open. */
  #openOnce(components: readonly string[]): OpenedFile | undefined {
    return this.#visit(components, ({ pin, folder, names }) => {
      if (!pin.stats.isFile()) throw unavailable('kind')
      this.#ground.onStep()
      const fd = pin.open(constants.O_RDONLY)
      let file: OpenedFile | undefined
      try {
        const stats = fstatSync(fd)
        this.#checkLinks(fd, stats, folder)
        if (stats.nlink > 0) file = openedFile(fd, stats, names)
        return file
      } finally {
        if (file === undefined) closeSync(fd)
      }
    })
  }

  #checkLinks(fd: number, stats: Stats, folder: Pin): void {
    if (stats.nlink <= 1 || this.#options.allowHardLinks === true) return
    if (isBeingPublished(folder, stats, this.#ground)) return
    // The writer may have taken its draft away after the first look.
    if (fstatSync(fd).nlink > 1) throw unavailable('hard-link')
  }

  #use<T>(path: string, use: (file: OpenedFile) => T): T {
    const file = this.#open(path)
    try {
      return use(file)
    } finally {
      file.close()
    }
  }
}
