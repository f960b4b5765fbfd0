/**
 * Publishing a whole file or none: the bytes go to a private file beside the target, reach the disk, and only
 * then get the target's name. Without `overwrite` that name is given by link(2), which fails if it is taken,
 * so two writers cannot both win. A file system without hard links takes no new files.
 */

import { randomBytes } from 'node:crypto'
import {
  closeSync, constants, fchmodSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, type Stats,
  writeSync,
} from 'node:fs'
import { refusal } from '../../kernel/refusal.ts'
import { unavailable } from './disk-error.ts'
import type { Pin } from './pin.ts'
import { syncFolder } from './sync-folder.ts'
import { type Ground, pinChild } from './walk.ts'

const DRAFT = /^\.arrowhead-[0-9a-f]{24}\.tmp$/
const draftName = (): string => `.arrowhead-${randomBytes(12).toString('hex')}.tmp`

/** Whether a name is one of the private files that a write leaves while it runs, or when it was killed. */
export const isDraft = (name: string): boolean => DRAFT.test(name)

/**
 * Whether the second name of a file is a draft in its own folder: its writer is between link and clean-up, or
 * died there. Then both names are known to be inside, and it is no hard link to elsewhere.
 */
export const isBeingPublished = (folder: Pin, file: Stats, ground: Pick<Ground, 'pinAt'>): boolean => {
  if (file.nlink !== 2) return false
  return readdirSync(folder.path).filter(isDraft).some((name) => {
    const draft = pinChild(ground, folder, name)?.pin
    draft?.release()
    return draft?.stats.ino === file.ino && draft.stats.dev === file.dev
  })
}

export interface WriteTarget {
  readonly ground: Ground
  /** Pinned, and known to be inside. */
  readonly folder: Pin
  readonly name: string
  /** Replaces a regular file, and keeps its permissions; new files are the owner's alone. */
  readonly overwrite: boolean
  /** Permission bits instead of those. */
  readonly mode?: number
  /** Asked last before the file gets its name. */
  readonly confirmInside: () => void
}

interface Standing {
  /** As the folder spells it. */
  readonly name: string
  readonly mode: number | undefined
}

/** What has the name now. @throws Refusal unless the write may take its place. */
const checkTarget = ({ ground, folder, name, overwrite }: WriteTarget): Standing => {
  const target = pinChild(ground, folder, name)
  if (target === undefined) return { name, mode: undefined }
  target.pin.release()
  if (!overwrite) throw refusal('file.exists')
  if (!target.pin.stats.isFile()) throw unavailable('kind')
  return { name: target.name, mode: target.pin.stats.mode }
}

const writeDraft = (path: string, bytes: Uint8Array, mode: number | undefined): void => {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    if (mode !== undefined) fchmodSync(fd, mode & 0o777)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** @throws Refusal `file.exists` or `file.unavailable` (a folder, link or device has the name). */
export const writeAtomically = (bytes: Uint8Array, target: WriteTarget): void => {
  const { ground, folder, overwrite, confirmInside } = target
  const { name, mode } = checkTarget(target)
  const draft = `${folder.path}/${draftName()}`
  try {
    writeDraft(draft, bytes, target.mode ?? mode)
    ground.onStep()
    confirmInside()
    if (overwrite) renameSync(draft, `${folder.path}/${name}`)
    else linkSync(draft, `${folder.path}/${name}`)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
}
