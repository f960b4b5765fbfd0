/**
 * Takes a tree away that untrusted code made: however deep, whatever its modes, and without ever following a link.
 * Folders are held by descriptor while they are emptied, and what they hold is brought up before it is entered, so
 * no path grows with the depth of the tree.
 */

import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, renameSync, rmSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId } from '../random.ts'
import { errnoOf } from './disk-error.ts'

const OWNER_ONLY = 0o700
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Does nothing when it is not there. @throws the system's error when something cannot be taken away. */
export function removeTree(folder: string): void {
  for (const _ of removal(folder));
}

/** Milliseconds for which nothing else gets a turn. */
const TURN_MS = 10

/** As {@link removeTree}, while everything else goes on: code can make more entries in seconds than are gone in a minute. */
export async function removeTreeInTurns(folder: string): Promise<void> {
  let since = performance.now()
  for (const _ of removal(folder)) {
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
}

/** Entry by entry. */
function* removal(folder: string): Generator<void> {
  if (process.platform !== 'linux') return rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
  const above = openFolder(dirname(folder))
  if (above === undefined) return
  try {
    const waiting = [basename(folder)]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) yield* empty(at(above, name), () => fresh(above, waiting))
  } finally {
    closeSync(above)
  }
}

/** A name beside the tree, for a folder that is brought up. */
function fresh(above: number, waiting: string[]): string {
  const name = `.gone-${newId()}`
  waiting.push(name)
  return at(above, name)
}

/** The path of an entry that goes through a descriptor and not through what its folder is called now. */
const at = (fd: number, name: string): string => `/proc/self/fd/${fd}/${name}`

function* empty(place: string, bringUp: () => string): Generator<void> {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) return unlinkSync(place)
  const fd = openFolder(place)
  if (fd === undefined) return
  try {
    for (const entry of readdirSync(`/proc/self/fd/${fd}`, { withFileTypes: true })) {
      const here = at(fd, entry.name)
      if (!entry.isDirectory()) unlinkSync(here)
      else {
        // Moving a folder changes its `..`, which needs the right to write in it.
        allow(here)
        renameSync(here, bringUp())
      }
      yield
    }
  } finally {
    closeSync(fd)
  }
  rmdirSync(place)
  yield
}

function allow(folder: string): void {
  const fd = openFolder(folder)
  if (fd !== undefined) closeSync(fd)
}

/** @returns undefined when it is gone. Opens what its owner may not enter by giving the right back first. */
function openFolder(place: string): number | undefined {
  try {
    return opened(place)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    if (errnoOf(error) !== 'EACCES' || !lstatSync(place).isDirectory()) throw error
    chmodSync(place, OWNER_ONLY)
    return opened(place)
  }
}

function opened(place: string): number {
  const fd = openSync(place, FOLDER)
  if ((fstatSync(fd).mode & OWNER_ONLY) !== OWNER_ONLY) chmodSync(join('/proc/self/fd', String(fd)), OWNER_ONLY)
  return fd
}
