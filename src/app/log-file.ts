/** The second trail of commands that leave their terminal to a person: log lines in a private file, kept small. */

import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../exits/disk/private-folder.ts'
import type { Log } from './ports.ts'

const MAX_BYTES = 10_000_000

/** Appends each line to `assistant.log` in the data directory; the file before it is kept as `assistant.log.1`. */
export function logFile(dataDir: string): Log {
  const file = join(dataDir, 'assistant.log')
  return (line) => {
    try {
      ensurePrivateFolder(dataDir)
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
      return true
    } catch {
      return false
    }
  }
}
