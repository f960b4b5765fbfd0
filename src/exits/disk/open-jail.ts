/** The work behind `jail.ts`: parse, judge the spelling, walk, judge the real place, and only then use it. */

import { closeSync, constants, fstatSync, linkSync, readlinkSync, renameSync, rmdirSync, type Stats, symlinkSync, unlinkSync } from 'node:fs'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { isBeingPublished, writeAtomically } from './atomic-write.ts'
import { diskError, errnoOf, unavailable } from './disk-error.ts'
import type { Jail, JailOptions, PlaceStats, Standing, WriteHow } from './jail-port.ts'
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

const standing = ({ stats }: Pin, target: string | undefined): Standing => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
  size: stats.size, mode: stats.mode & 0o7777, modifiedMs: stats.mtimeMs, target, stats,
})

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

  async writeFile(path: string, bytes: Uint8Array, { overwrite, mode }: WriteHow): Promise<void> {
    const ground = this.#ground
    this.#guarded(() => this.#visitTarget(path, true, (folder, name) => {
      const confirmInside = () => { namesInside(ground, folder) }
      writeAtomically(bytes, { ground, folder, name, overwrite, confirmInside, ...(mode !== undefined && { mode }) })
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

  async look(path: string): Promise<Standing | undefined> {
    const components = parse(path)
    if (components.every((name) => name === FOLDER_MARK)) return standing(this.#ground.root, undefined)
    try {
      return this.#guarded(() => {
        let found: Standing | undefined
        const { above, name } = parseTarget(components.filter((one) => one !== FOLDER_MARK).join('/'))
        this.#check([...above, name], 'read')
        this.#visit(above, ({ pin: folder, names }) => {
          this.#check([...names, name], 'read')
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

  async rename(from: string, to: string, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    this.#guarded(() => this.#visitTarget(from, false, (source, name) => {
      const child = pinChild(this.#ground, source, name)
      child?.pin.release()
      if (child === undefined) throw unavailable('missing')
      if (!child.pin.stats.isFile() && !child.pin.stats.isSymbolicLink()) throw unavailable('kind')
      this.#visitTarget(to, true, (target, newName) => {
        const there = pinChild(this.#ground, target, newName)
        there?.pin.release()
        if (there !== undefined && (!overwrite || !there.pin.stats.isFile())) throw refusal('file.exists')
        this.#ground.onStep()
        namesInside(this.#ground, source)
        namesInside(this.#ground, target)
        const [old, young] = [`${source.path}/${child.name}`, `${target.path}/${there?.name ?? newName}`]
        if (there !== undefined) renameSync(old, young)
        else {
          // A link fails where something came to stand meanwhile; a rename would take its place.
          linkSync(old, young)
          unlinkSync(old)
        }
        syncFolder(target)
        syncFolder(source)
      })
    }))
  }

  async makeLink(path: string, target: string): Promise<void> {
    this.#guarded(() => this.#visitTarget(path, true, (folder, name) => {
      namesInside(this.#ground, folder)
      symlinkSync(target, `${folder.path}/${name}`)
      syncFolder(folder)
    }))
  }

  async removeFolder(path: string): Promise<void> {
    this.#guarded(() => this.#visitTarget(path, false, (folder, name) => {
      namesInside(this.#ground, folder)
      try {
        rmdirSync(`${folder.path}/${name}`)
      } catch (error) {
        throw errnoOf(error) === 'ENOTEMPTY' ? refusal('file.exists', 'the folder holds something') : error
      }
      syncFolder(folder)
    }))
  }

  async makeDirectory(path: string): Promise<void> {
    this.#guarded(() => this.#visit(parse(path), ({ pin }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
    }, true, 'write'))
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

  #check(names: readonly string[], purpose: 'read' | 'write'): void {
    if (this.#options.allowCredentials !== true && holdsCredentials(names)) throw refusal('file.credential')
    const no = this.#options.judge?.(names, purpose)
    if (no) throw no
  }

  /** Applies the rules to the path as written and as it really is, then hands the place out. */
  #visit<T>(components: readonly string[], use: (arrival: Arrival) => T, make = false, purpose: 'read' | 'write' = 'read'): T {
    this.#check(components, purpose)
    return walkTo(this.#ground, components, (arrival) => {
      const names = namesInside(this.#ground, arrival.pin)
      // The walk's own names count too: the kernel marks the name of what was removed meanwhile.
      if (!isEqual(arrival.names, components)) this.#check(arrival.names, purpose)
      if (!isEqual(names, arrival.names)) this.#check(names, purpose)
      return use({ ...arrival, names })
    }, { make })
  }

  #visitTarget(path: string, make: boolean, use: (folder: Pin, name: string) => void): void {
    const { above, name } = parseTarget(path)
    this.#check([...above, name], 'write')
    this.#visit(above, ({ pin, names }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
      this.#check([...names, name], 'write')
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
