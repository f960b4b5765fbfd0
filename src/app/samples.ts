/** Sample content for a first start, written where it disturbs nothing. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WELCOME = `Welcome to Arrowhead.

This file lies in the folder that read_file serves. Put files beside it, or set ARROWHEAD_JAIL_ROOT to another folder.
`

/** Writes the samples below the data directory. @returns the folder to serve. */
export function writeSamples(dataDir: string): string {
  const folder = join(dataDir, 'samples', 'sandbox')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'welcome.txt'), WELCOME)
  return folder
}
