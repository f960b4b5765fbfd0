/** A program of the system's own: at an absolute path from a fixed table, where nobody but root could have put it. */

import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

const WRITABLE_BY_OTHERS = 0o022

/** The first place that holds such a program, as the file that it really is. */
export const systemProgram = (places: readonly string[]): string | undefined => {
  for (const place of places) {
    const real = realOf(place)
    if (real !== undefined && isOnlyRoots(real)) return real
  }
  return undefined
}

function realOf(place: string): string | undefined {
  try {
    return place.startsWith('/') ? realpathSync(place) : undefined
  } catch {
    return undefined
  }
}

/** The file and every folder above it belong to root, and nobody else may write there. */
function isOnlyRoots(file: string): boolean {
  try {
    if (!lstatSync(file).isFile()) return false
    for (let at = file; ; at = dirname(at)) {
      const { uid, mode } = lstatSync(at)
      if (uid !== 0 || (mode & WRITABLE_BY_OTHERS) !== 0) return false
      if (at === '/') return true
    }
  } catch {
    return false
  }
}
