/** The allowed folders, and which of them a path belongs to. Each is opened when it is first needed, and is looked for again until it is there. */

import { realpathSync } from 'node:fs'
import { type Jail, openJail } from '../../exits/disk/jail.ts'
import type { LocalUse } from '../../kernel/ports/local-files.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'

type Judge = (names: readonly string[], use: 'read' | 'write', above: readonly string[]) => Refusal | undefined

export interface GroundOptions {
  /** Absolute folders. None allows nothing. */
  readonly roots: readonly string[]
  /** The one spelling of a path, as names from the root of the disk. */
  readonly spell: (path: string) => readonly string[] | Refusal
  readonly judge: Judge
  /** Called before every look at the disk, for tests of races. */
  readonly onStep?: () => void
}

interface Root {
  readonly names: readonly string[]
  /** Without links; undefined while it is missing. */
  real(): readonly string[] | undefined
  jail(): Promise<Jail>
  close(): Promise<void>
}

/** A path inside one of the folders. */
export interface Spot {
  readonly jail: Jail
  /** From the folder; `.` is the folder itself. */
  readonly path: string
  /** Absolute names of the folder. */
  readonly above: readonly string[]
}

const FOLDER_MARK = '.'
const split = (path: string): readonly string[] => path.split('/').filter((name) => name !== '')
const starts = (names: readonly string[], with_: readonly string[]): boolean => with_.length <= names.length && with_.every((name, at) => names[at] === name)
export const absolute = (names: readonly string[]): string => `/${names.filter((name) => name !== FOLDER_MARK).join('/')}`

export class Ground {
  readonly #options: GroundOptions
  readonly #roots: readonly Root[]

  constructor(options: GroundOptions) {
    this.#options = options
    this.#roots = options.roots.map((folder) => rootOf(folder, options)).sort((one, other) => other.names.length - one.names.length)
  }

  /** Judges a path as it was written. @throws Refusal `path.*` */
  async spot(path: string, use: LocalUse): Promise<Spot> {
    const names = this.#options.spell(path)
    if (names instanceof Refusal) throw names
    const plain = names.filter((name) => name !== FOLDER_MARK)
    if (use === 'delete') this.#checkDeletable(plain)
    for (const root of this.#roots) {
      const above = [root.names, root.real() ?? root.names].find((one) => starts(plain, one))
      if (!above) continue
      const below = names.slice(above.length)
      const no = this.#options.judge(below, use === 'read' ? 'read' : 'write', above)
      if (no) throw no
      return { jail: await root.jail(), path: below.filter((name, at) => name !== FOLDER_MARK || at > 0).join('/') || FOLDER_MARK, above }
    }
    throw refusal('path.outside', 'list the allowed folders to see what there is')
  }

  /** Absolute names, the written ones and the real ones, also where nothing is yet. */
  async places(path: string, use: LocalUse): Promise<readonly string[]> {
    const spot = await this.spot(path, use)
    const written = absolute([...spot.above, ...split(spot.path)])
    const there = await this.real(spot, use === 'delete')
    if (use === 'delete') this.#checkDeletable(split(realOf(written) ?? written))
    // Through a link to nothing, a file would come to stand where nobody named one.
    if (use === 'write' && there === undefined && (await spot.jail.look(spot.path))?.kind === 'link') throw refusal('path.protected', 'a link that leads to nothing is not written through', 'links')
    if (use === 'read' && there !== undefined) await this.#checkOneName(spot, there)
    // A link is taken away itself; everything else is done to what it leads to.
    const meant = use === 'delete' || there === undefined ? await this.#inRealFolder(spot) : there
    const no = this.#options.judge(split(meant).slice(spot.above.length), use === 'read' ? 'read' : 'write', spot.above)
    if (no) throw no
    return [...new Set([written, there ?? meant, meant])]
  }

  /** Folders that are not there yet are taken as they are written. */
  async #inRealFolder(spot: Spot): Promise<string> {
    const names = split(spot.path).filter((name) => name !== FOLDER_MARK)
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = await this.#realFolder({ ...spot, path: names.slice(0, depth).join('/') })
      if (folder !== undefined) return absolute([...split(folder), ...names.slice(depth)])
    }
    return absolute([...spot.above, ...names])
  }

  /** A folder that is denied may hold what is excepted, which is judged for itself. */
  async #realFolder(spot: Spot): Promise<string | undefined> {
    try {
      return await this.real(spot)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'path.denied') throw error
      const [root = '', real] = [absolute(spot.above), absolute([...spot.above, ...split(spot.path)])].map(realOf)
      if (real === undefined) return undefined
      if (root === '' || !starts(split(real), split(root))) throw error
      return absolute([...spot.above, ...split(real).slice(split(root).length)])
    }
  }

  /** Where a path really leads, judged by the jail; undefined where nothing is, and for a link by itself wherever it leads. */
  async real({ jail, path, above }: Spot, isLinkItself = false): Promise<string | undefined> {
    try {
      return absolute([...above, ...(await jail.stat(path)).names])
    } catch (error) {
      if (error instanceof Refusal && error.code === 'file.unavailable' && (isLinkItself || error.reason === 'missing')) return undefined
      throw error
    }
  }

  /** A file with a second name may be one from anywhere; whoever opens it by this place, a program too, would read that. */
  async #checkOneName({ jail, above }: Spot, real: string): Promise<void> {
    const { kind, links } = await jail.stat(split(real).slice(above.length).join('/') || FOLDER_MARK)
    if (kind === 'file' && links > 1) throw refusal('file.unavailable', undefined, 'links')
  }

  get folders(): readonly string[] {
    return this.#roots.map(({ names }) => absolute(names))
  }

  async close(): Promise<void> {
    for (const root of this.#roots) await root.close()
  }

  /** An allowed folder, one above it, and whatever leads to it. */
  #checkDeletable(names: readonly string[]): void {
    const isKept = this.#roots.some((root) => starts(root.names, names) || starts(root.real() ?? root.names, names))
    if (isKept) throw refusal('path.protected', 'an allowed folder and those above it stay', 'root')
  }
}

/** Where a path leads, also out of every folder: only to know what a link to an allowed folder is. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function rootOf(folder: string, { judge, onStep }: GroundOptions): Root {
  const names = split(folder)
  let opened: Promise<Jail> | undefined
  let real: readonly string[] | undefined
  const findReal = (): readonly string[] | undefined => {
    const found = real === undefined ? realOf(folder) : undefined
    return (real ??= found === undefined || found === '/' ? undefined : split(found))
  }
  return {
    names,
    real: findReal,
    async jail() {
      // A link may have been laid where the folder was.
      if (opened === undefined && realOf(folder) === '/') throw refusal('path.outside', 'an allowed folder leads to everything there is')
      return (opened ??= openJail(folder, {
        // The table of credential files is part of the judge, where an exception can lift it.
        allowCredentials: true,
        judge: (inside, use) => judge(inside, use, findReal() ?? names),
        ...(onStep && { onStep }),
      }).catch((error: unknown) => {
        opened = undefined
        throw error
      }))
    },
    async close() {
      ;(await opened?.catch(() => undefined))?.close()
    },
  }
}
