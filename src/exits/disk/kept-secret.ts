/** A secret of this machine's, made by the first process that needs it and shared by all that follow. */

import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensurePrivateFolder } from './private-folder.ts'

const BYTES = 32

/**
 * The secret in `file`, 64 hexadecimal digits, made where it is missing. Readable by the owner alone.
 * Where the file can be neither read nor made, the secret lasts as long as the process.
 */
export function keptSecret(file: string): string {
  const made = randomBytes(BYTES).toString('hex')
  const draft = `${file}.${made.slice(0, 16)}`
  try {
    return read(file)
  } catch {
    try {
      ensurePrivateFolder(dirname(file))
      writeFileSync(draft, made, { mode: 0o600, flag: 'wx' })
      // A link fails where another process was first; then its secret is the one.
      linkSync(draft, file)
    } catch {
      // Read below, or lost: either way the draft goes.
    }
    rmSync(draft, { force: true })
    return attempt(() => read(file)) ?? made
  }
}

function read(file: string): string {
  const text = readFileSync(file, 'utf8').trim()
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  if (!/^[0-9a-f]{64}$/.test(text)) throw new TypeError('not a kept secret')
  return text
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
