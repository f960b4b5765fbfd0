/** Makes what was added to or taken from a folder survive a crash (fsync(2): a file's own sync does not). */

import { closeSync, constants, fsyncSync } from 'node:fs'
import { errnoOf } from './disk-error.ts'
import type { Pin } from './pin.ts'

export const syncFolder = (folder: Pin): void => {
  const fd = folder.open(constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    fsyncSync(fd)
  } catch (error) {
    // Some file systems have nothing to sync in a folder and say so.
    if (errnoOf(error) !== 'EINVAL') throw error
  } finally {
    closeSync(fd)
  }
}
