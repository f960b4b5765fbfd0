/**
 * Holding on to one place of the file system, so that what was checked is what is used. On Linux a pin is an
 * open O_PATH handle reached through /proc/self/fd: renames and swaps cannot move it, and devices and FIFOs
 * are not touched. Elsewhere (macOS) a pin is a path that is looked at again after it was opened: a swap
 * there and back between the looks is not seen.
 */

import {
  closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type Stats,
} from 'node:fs'
import { unavailable } from './disk-error.ts'

export interface Pin {
  /** Leads to the place; a name can be appended to it when the place is a folder. */
  readonly path: string
  /** Of the place itself: a link is not followed. */
  readonly stats: Stats
  /** Where the place is now: absolute, without links. */
  real(): string
  /** Opens the pinned file or folder; the handle is the caller's to close. Never blocks. */
  open(flags: number): number
  release(): void
}

/** Pins what a path names, without following a last link. @throws errors of `node:fs`. */
export type PinAt = (path: string) => Pin

/** Linux, open(2); Node does not export it. The value holds on every architecture that Node is built for. */
const O_PATH = 0o10000000

const statsOrClose = (fd: number): Stats => {
  try {
    return fstatSync(fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

export const pinByHandle: PinAt = (path) => {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW)
  const self = `/proc/self/fd/${fd}`
  return {
    path: self,
    stats: statsOrClose(fd),
    real: () => readlinkSync(self),
    open: (flags) => openSync(self, flags | constants.O_NONBLOCK),
    release: () => closeSync(fd),
  }
}

const isSame = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino

export const pinByName: PinAt = (path) => {
  const stats = lstatSync(path)
  const real = () => realpathSync(path)
  const open = (flags: number): number => {
    if (!stats.isFile() && !stats.isDirectory()) throw unavailable('kind')
    const fd = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      if (isSame(fstatSync(fd), stats) && isSame(lstatSync(real()), stats)) return fd
      throw unavailable('outside')
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }
  return { path, stats, real, open, release: () => {} }
}

export const pinAt: PinAt = existsSync('/proc/self/fd') ? pinByHandle : pinByName
