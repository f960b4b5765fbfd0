/** Folders for what a test's app leaves behind. They are made by whoever writes first, and go when the process ends. */

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const base = join(tmpdir(), `arrowhead-testing-${process.pid}-${randomBytes(6).toString('hex')}`)
let given = 0

/** A path that nothing else uses; no folder is there yet. */
export function scratchFolder(name: string): string {
  if (given === 0) process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }))
  given += 1
  return join(base, `${given}`, name)
}
