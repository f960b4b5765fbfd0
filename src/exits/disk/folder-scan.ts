/**
 * The files below a root, in the order of their paths, each opened in passing. Folders are held while they are
 * read, so a file costs four system calls where a walk of its own would cost twenty. Links are not followed:
 * every file has one path. What names credentials, is no regular file or cannot be opened is left out.
 */

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { diskError, unavailable } from './disk-error.ts'
import { FileIterator } from './file-iterator.ts'
import type { FolderScan } from './folder-scan-port.ts'
import { type Pin, type PinAt, pinAt as defaultPinAt } from './pin.ts'

export type { FolderScan, ScannedFile, ScannedFolder, ScanOptions } from './folder-scan-port.ts'

/** @throws Refusal `file.unavailable` when there is no such folder. */
export const openFolderScan = (root: string, { pinAt = defaultPinAt }: { readonly pinAt?: PinAt } = {}): FolderScan => {
  const pin = pinFolder(root, pinAt)
  let isOpen = true
  return {
    root: pin.real(),
    files: (prefix, options) => {
      if (!isOpen) throw unavailable('root')
      return new FileIterator(pin, pinAt, options).start(prefix)
    },
    close() {
      if (isOpen) pin.release()
      isOpen = false
    },
  }
}

const pinFolder = (root: string, pinAt: PinAt): Pin => {
  try {
    const pin = pinAt(realpathSync(resolve(root)))
    if (pin.stats.isDirectory()) return pin
    pin.release()
    throw unavailable('root')
  } catch (error) {
    throw diskError(error)
  }
}
