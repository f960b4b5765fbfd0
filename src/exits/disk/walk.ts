/**
 * The way from a root to a place below it, one name at a time, each pinned before it is believed. Links are
 * followed by hand and only inside: `..` goes back along the way that was come, an absolute target must start
 * with the root, and a step above the root ends the walk.
 */

import { mkdirSync, readlinkSync } from 'node:fs'
import { errnoOf, unavailable } from './disk-error.ts'
import type { Pin, PinAt } from './pin.ts'
import { syncFolder } from './sync-folder.ts'

/** Links followed on one walk: the limit of Linux (path_resolution(7)). */
const MAX_LINKS = 40
/** Names from the root down; each holds a handle open while the walk lasts. */
const MAX_DEPTH = 256

export interface Ground {
  readonly root: Pin
  /** The root as it was configured and as it really is: how an absolute link inside may begin. */
  readonly rootPaths: readonly string[]
  readonly pinAt: PinAt
  /** Called before every look at the disk. Tests change the tree there. */
  readonly onStep: () => void
}

interface Step {
  /** As the folder spells it. */
  readonly name: string
  readonly pin: Pin
}

/** Where a walk ended. Its pins are valid until the walk is released. */
export interface Arrival {
  readonly pin: Pin
  /** The folder that holds the place; the root holds itself. */
  readonly folder: Pin
  /** Names from the root, without links. */
  readonly names: readonly string[]
}

/** Whether an absolute path is a folder's own or lies below it, compared name by name: `/a-b` is not in `/a`. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)

/** One walk; it holds handles, so it must be released. */
class Walk {
  readonly #ground: Ground
  readonly #way: Step[] = []
  readonly #fromCaller: string[]
  readonly #fromLinks: string[] = []
  #links = 0

  constructor(ground: Ground, components: readonly string[]) {
    this.#ground = ground
    this.#fromCaller = [...components].reverse()
  }

  /** @throws Refusal `file.unavailable`, or errors of `node:fs`. Missing folders are made when `make` is set. */
  arrive(make = false): Arrival {
    for (;;) {
      const mayMake = make && this.#fromLinks.length === 0
      const name = this.#fromLinks.pop() ?? this.#fromCaller.pop()
      if (name === undefined) break
      if (!this.#folder().stats.isDirectory()) throw unavailable('kind')
      if (name === '..') this.#up()
      else if (name !== '' && name !== '.') this.#enter(name, mayMake)
    }
    const folder = this.#way.at(-2)?.pin ?? this.#ground.root
    return { pin: this.#folder(), folder, names: this.#way.map((step) => step.name) }
  }

  release(): void {
    for (const step of this.#way.splice(0)) step.pin.release()
  }

  #folder(): Pin {
    return this.#way.at(-1)?.pin ?? this.#ground.root
  }

  #up(): void {
    const left = this.#way.pop()
    if (left === undefined) throw unavailable('outside')
    left.pin.release()
  }

  #enter(name: string, make: boolean): void {
    const folder = this.#folder()
    this.#ground.onStep()
    const step = pinChild(this.#ground, folder, name) ?? (make ? makeChild(this.#ground, folder, name) : undefined)
    if (step === undefined) throw unavailable('missing')
    if (step.pin.stats.isSymbolicLink()) {
      step.pin.release()
      this.#follow(readlinkSync(`${folder.path}/${step.name}`))
    } else {
      this.#way.push(step)
      if (this.#way.length > MAX_DEPTH) throw unavailable('name')
    }
  }

  #follow(target: string): void {
    this.#links += 1
    if (this.#links > MAX_LINKS) throw unavailable('links')
    if (!target.startsWith('/')) {
      this.#fromLinks.push(...target.split('/').reverse())
      return
    }
    const start = this.#ground.rootPaths.find((path) => isWithin(path, target))
    if (start === undefined) throw unavailable('outside')
    this.release()
    this.#fromLinks.push(...target.slice(start.length).split('/').reverse())
  }
}

/**
 * What a folder holds under a name. Disks filled from macOS may keep it in normal form D, so that is tried too.
 * @returns undefined when it holds nothing there.
 */
export const pinChild = ({ pinAt }: Pick<Ground, 'pinAt'>, folder: Pin, name: string): Step | undefined => {
  for (const spelling of new Set([name, name.normalize('NFD')])) {
    try {
      return { name: spelling, pin: pinAt(`${folder.path}/${spelling}`) }
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
  return undefined
}

const makeChild = (ground: Ground, folder: Pin, name: string): Step | undefined => {
  try {
    mkdirSync(`${folder.path}/${name}`, 0o700)
    syncFolder(folder)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  return pinChild(ground, folder, name)
}

/** Walks, uses the place, and lets go of every handle, whatever happens. */
export const walkTo = <T>(
  ground: Ground,
  components: readonly string[],
  use: (arrival: Arrival) => T,
  { make = false }: { readonly make?: boolean } = {},
): T => {
  const walk = new Walk(ground, components)
  try {
    return use(walk.arrive(make))
  } finally {
    walk.release()
  }
}
