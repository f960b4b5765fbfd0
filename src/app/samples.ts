/** Sample content for a first start, written where it disturbs nothing. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../exits/disk/private-folder.ts'

const WELCOME = `Welcome to Arrowhead.

This file lies in the folder that read_file serves. Put files beside it, or set ARROWHEAD_JAIL_ROOT to another folder.
`

/** Writes the samples below the data directory. @returns the folder to serve. */
export function writeSamples(dataDir: string): string {
  const folder = join(dataDir, 'samples', 'sandbox')
  ensurePrivateFolder(folder)
  writeFileSync(join(folder, 'welcome.txt'), WELCOME)
  return folder
}
