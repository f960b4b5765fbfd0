/** The work behind `jail.ts`: what a place holds, read through the jail's entrance; changes are in `changes.ts`. */

import { closeSync, constants, fstatSync, readlinkSync, type Stats } from 'node:fs'
import { Refusal } from '../../kernel/refusal.ts'
import { FOLDER_MARK } from '../../policy/relative-path.ts'
import { isBeingPublished } from './atomic-write.ts'
import { type Changes, createChanges } from './changes.ts'
import { diskError, unavailable } from './disk-error.ts'
import { createEntrance, type Entrance, parsePath, parseTarget } from './entrance.ts'
import type { Jail, JailOptions, PlaceStats, Standing, WriteHow } from './jail-port.ts'
import { type Entry, listFolder } from './list-folder.ts'
import { type OpenedFile, openedFile, type ReadLimit } from './opened-file.ts'
import type { Pin } from './pin.ts'
import { type Ground, pinChild } from './walk.ts'

/** Times that a file may be replaced under one read before that read gives up. */
const MAX_ATTEMPTS = 16

const standing = ({ stats }: Pin, target: string | undefined): Standing => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
  size: stats.size, mode: stats.mode & 0o7777, modifiedMs: stats.mtimeMs, target, stats,
})

/** Holds the handle of its root until it is closed. */
export class OpenJail implements Jail {
  readonly #ground: Ground
  readonly #options: JailOptions
  readonly #entrance: Entrance
  readonly #changes: Changes
  #isOpen = true

  constructor(ground: Ground, options: JailOptions) {
    this.#ground = ground
    this.#options = options
    this.#entrance = createEntrance(ground, options)
    this.#changes = createChanges(ground, this.#entrance)
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
    return this.#guarded(() => this.#entrance.visit(parsePath(path), ({ pin }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
      return listFolder(pin, maxEntries)
    }))
  }

  async stat(path: string): Promise<PlaceStats> {
    return this.#guarded(() => this.#entrance.visit(parsePath(path), ({ pin, names }) => {
      const { stats } = pin
      if (!stats.isFile() && !stats.isDirectory()) throw unavailable('kind')
      return { kind: stats.isFile() ? 'file' : 'folder', size: stats.size, modifiedMs: stats.mtimeMs, links: stats.nlink, names }
    }))
  }

  async look(path: string): Promise<Standing | undefined> {
    const components = parsePath(path)
    if (components.every((name) => name === FOLDER_MARK)) return standing(this.#ground.root, undefined)
    try {
      return this.#guarded(() => {
        let found: Standing | undefined
        const { above, name } = parseTarget(components.filter((one) => one !== FOLDER_MARK).join('/'))
        this.#entrance.check([...above, name], 'read')
        this.#entrance.visit(above, ({ pin: folder, names }) => {
          this.#entrance.check([...names, name], 'read')
          const child = folder.stats.isDirectory() ? pinChild(this.#ground, folder, name) : undefined
          if (child === undefined) return
          try {
            found = standing(child.pin, child.pin.stats.isSymbolicLink() ? readlinkSync(`${folder.path}/${child.name}`) : undefined)
          } finally {
            child.pin.release()
          }
        })
        return found
      })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'file.unavailable' && error.reason === 'missing') return undefined
      throw error
    }
  }

  async writeFile(path: string, bytes: Uint8Array, how: WriteHow): Promise<void> {
    this.#guarded(() => this.#changes.writeFile(path, bytes, how))
  }

  async remove(path: string): Promise<void> {
    this.#guarded(() => this.#changes.remove(path))
  }

  async rename(from: string, to: string, how: { readonly overwrite: boolean }): Promise<void> {
    this.#guarded(() => this.#changes.rename(from, to, how))
  }

  async makeLink(path: string, target: string): Promise<void> {
    this.#guarded(() => this.#changes.makeLink(path, target))
  }

  async removeFolder(path: string): Promise<void> {
    this.#guarded(() => this.#changes.removeFolder(path))
  }

  async makeDirectory(path: string): Promise<void> {
    this.#guarded(() => this.#changes.makeDirectory(path))
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

  #open(path: string): OpenedFile {
    const components = parsePath(path)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const file = this.#openOnce(components)
      if (file !== undefined) return file
    }
    throw unavailable('missing')
  }

  /** @returns undefined when the file lost its name to another between the walk and the open. */
  #openOnce(components: readonly string[]): OpenedFile | undefined {
    return this.#entrance.visit(components, ({ pin, folder, names }) => {
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
