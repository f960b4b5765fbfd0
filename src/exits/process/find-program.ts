/** Programs by name, from a fixed list of the system's folders: a PATH that somebody set has no say. */

import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

export const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'] as const

/** Its absolute path, or undefined where it is not installed. */
export const findProgram = (name: string, folders: readonly string[] = SYSTEM_FOLDERS): string | undefined =>
  folders.map((folder) => join(folder, name)).find(isExecutable)

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
