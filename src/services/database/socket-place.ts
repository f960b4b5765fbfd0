/** Where the owner listens: a socket inside the private folder, under a name short enough for every system. */

import { closeSync, openSync } from 'node:fs'
import { createHash } from 'node:crypto'

/** Bytes of a socket's path that every system takes. */
const MAX_PATH_BYTES = 100

export interface SocketPlace {
  readonly path: string
  /** Gives back what keeps the short name alive. */
  release(): void
}

/** @throws Error for a folder whose path is too long where there is no shorter name for it. */
export function socketPlace(folder: string): SocketPlace {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 32)
    return { path: `\\\\.\\pipe\\arrowhead-${name}`, release: () => {} }
  }
  const path = `${folder}/owner.sock`
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path, release: () => {} }
  if (process.platform !== 'linux') throw new Error('the path of the data directory is too long for a socket')
  const fd = openSync(folder, 'r')
  return { path: `/proc/self/fd/${fd}/owner.sock`, release: () => closeSync(fd) }
}
