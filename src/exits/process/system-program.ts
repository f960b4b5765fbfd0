/** A program of the system's own: at an absolute path from a fixed table, where nobody but root could have put it. */

import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const WRITABLE_BY_OTHERS = 0o022
/** As many as the kernel follows (path_resolution(7)). */
const MAX_LINKS = 40

/**
 * The first place that holds such a program. It keeps its own name where that is a link: one file may be many programs,
 * and takes its first argument for the name of one when it is called by another name than theirs.
 */
export const systemProgram = (places: readonly string[]): string | undefined => {
  for (const place of places) {
    const named = nameOf(place)
    if (named !== undefined && isOnlyRoots(named)) return named
  }
  return undefined
}

/** Through no link but the last. */
function nameOf(place: string): string | undefined {
  try {
    return place.startsWith('/') ? join(realpathSync(dirname(place)), basename(place)) : undefined
  } catch {
    return undefined
  }
}

/** Every link on the way, the file at its end, and every folder above either belong to root, and nobody else may write there. */
function isOnlyRoots(named: string): boolean {
  try {
    for (let [at, links] = [named, 0]; links <= MAX_LINKS; links += 1) {
      const there = lstatSync(at)
      if (there.uid !== 0 || !areFoldersRoots(at)) return false
      if (!there.isSymbolicLink()) return there.isFile() && (there.mode & WRITABLE_BY_OTHERS) === 0
      const target = resolve(dirname(at), readlinkSync(at))
      at = join(realpathSync(dirname(target)), basename(target))
    }
    return false
  } catch {
    return false
  }
}

function areFoldersRoots(file: string): boolean {
  for (let at = dirname(file); ; at = dirname(at)) {
    const { uid, mode } = lstatSync(at)
    if (uid !== 0 || (mode & WRITABLE_BY_OTHERS) !== 0) return false
    if (at === '/') return true
  }
}
