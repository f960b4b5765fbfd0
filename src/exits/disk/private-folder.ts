/** Folders for their owner alone. Made one level at a time: asked for a whole path at once, Node never returns below /proc. */

import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_MISSING = 64
const OWNER_ONLY = 0o700

/** Makes the folder and whatever is missing above it. @throws the system's error where that cannot be. */
export function ensurePrivateFolder(folder: string): void {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) {
    missing.push(at)
    if (missing.length > MAX_MISSING) throw new RangeError('the folder lies too deep')
  }
  for (const at of missing.reverse()) make(at)
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: OWNER_ONLY })
  } catch (error) {
    // Another process may be making the same one.
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  }
}
