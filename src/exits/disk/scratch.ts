/**
 * Folders that live as long as one run. Each carries in its name which process made it, so that the folders of a
 * server that was killed are taken away by the next one, and those of a server that lives are left alone.
 */

import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { newId } from '../random.ts'
import { ensurePrivateFolder } from './private-folder.ts'
import { removeTree, removeTreeInTurns } from './remove-tree.ts'

export interface Scratch {
  /** Absolute, empty at first. */
  readonly folder: string
  /** Writes one file below the folder, making what is missing above it. */
  write(names: readonly string[], bytes: Uint8Array): void
  remove(): Promise<void>
}

export interface ScratchRoot {
  /** @param owner the user who may write there besides us; absent it is ours alone. */
  open(owner?: number): Scratch
}

/** Whether a process with this number and start is still there. */
export type IsAlive = (pid: number, start: string) => boolean

export interface ScratchOptions {
  readonly root: string
  /** When this very process started, as `isAlive` is asked for it. */
  readonly start: string
  readonly isAlive: IsAlive
}

/** Others pass through it to what is theirs, and cannot list it. */
const PASSABLE = 0o711
const OWNED = 0o700
/** Copied files run as programs too: what a test command calls is often a script of the tree. */
const FILE = 0o755
const NAME = /^run-(?<place>[0-9a-f]{12})-(?<pid>\d{1,10})-(?<start>\d{0,20})-[\w-]{16}$/

/** Makes the root if it is not there, and takes away what dead servers left in it. */
export function openScratchRoot({ root, start, isAlive }: ScratchOptions): ScratchRoot {
  const top = resolve(root)
  ensurePrivateFolder(top)
  chmodSync(top, PASSABLE)
  const place = placeId()
  sweep(top, place, isAlive)
  return {
    open(owner) {
      const folder = join(realpathSync(top), `run-${place}-${process.pid}-${start}-${newId()}`)
      make(folder, owner)
      return {
        folder,
        write(names, bytes) {
          for (let depth = 1; depth < names.length; depth += 1) makeOnce(join(folder, ...names.slice(0, depth)), owner)
          const file = join(folder, ...names)
          writeFileSync(file, bytes, { mode: FILE, flag: 'wx' })
          if (owner !== undefined) chownSync(file, owner, owner)
        },
        remove: () => removeTreeInTurns(folder),
      }
    },
  }
}

function make(folder: string, owner: number | undefined): void {
  mkdirSync(folder, { mode: OWNED })
  if (owner !== undefined) chownSync(folder, owner, owner)
}

function makeOnce(folder: string, owner: number | undefined): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) make(folder, owner)
}

/** Numbers of processes mean something on one machine, between two starts of it, in one process namespace. */
function placeId(): string {
  const parts = [hostname(), told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), told(() => readlinkSync('/proc/self/ns/pid'))]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
}

function told(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}

function sweep(top: string, place: string, isAlive: IsAlive): void {
  for (const name of readdirSync(top)) {
    const { place: of, pid, start = '' } = NAME.exec(name)?.groups ?? {}
    const isLeft = name.startsWith('.gone-') ? isOld(join(top, name)) : of === place && !isAlive(Number(pid), start)
    if (isLeft) removeTree(join(top, name))
  }
}

/** Parts of a tree that was being taken away: by a server that is gone, if they are still there after a minute. */
const GOING_MS = 60_000

const isOld = (path: string): boolean => Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now()) > GOING_MS

/** The folder that keeps others than its owner from a path, or undefined when nothing does. */
export function closedToOthers(path: string): string | undefined {
  const full = resolve(path)
  for (let at = full; ; at = dirname(at)) {
    const stats = statSync(at, { throwIfNoEntry: false })
    // The root itself is made passable when it is opened.
    if (at !== full && stats !== undefined && (stats.mode & 0o001) === 0) return at
    if (dirname(at) === at) return undefined
  }
}
