/** A file met by a scan, and its handle until the scan goes on. */

import { closeSync, type Stats } from 'node:fs'
import type { ScannedFile } from './folder-scan-port.ts'
import { openedFile, type ReadLimit } from './opened-file.ts'

/** A class and no closures: a listing makes thousands. */
export class OpenFile implements ScannedFile {
  readonly path: string
  readonly #fd: number
  readonly #stats: Stats
  #isOpen = true

  constructor(path: string, fd: number, stats: Stats) {
    this.path = path
    this.#fd = fd
    this.#stats = stats
  }

  get size(): number {
    return this.#stats.size
  }

  get modifiedMs(): number {
    return this.#stats.mtimeMs
  }

  bytes(limit: ReadLimit): Uint8Array {
    if (!this.#isOpen) throw new TypeError('the file is closed')
    return openedFile(this.#fd, this.#stats, []).bytes(limit)
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#fd)
    this.#isOpen = false
  }
}
