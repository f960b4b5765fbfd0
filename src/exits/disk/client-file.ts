/**
 * A file of another program, read and replaced whole. It is taken only where it is a plain file that its owner may
 * write; a link, a device, a read-only or a very large one is left alone. What replaces it is complete or not there.
 */

import { randomBytes } from 'node:crypto'
import { accessSync, chownSync, closeSync, constants, fchmodSync, fsyncSync, lstatSync, openSync, readFileSync, readlinkSync, renameSync, rmSync, rmdirSync, type Stats, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePrivateFolder } from './private-folder.ts'

export const MAX_CLIENT_FILE_BYTES = 16_777_216

/** Why a file is not touched. */
export type Unfit = 'missing' | 'link' | 'not-a-file' | 'read-only' | 'too-large' | 'unreadable' | 'changed'

export class UnfitFile extends Error {
  override readonly name = 'UnfitFile'
  readonly why: Unfit
  /** Where a link leads. */
  readonly leadsTo: string | undefined
  constructor(why: Unfit, leadsTo?: string) {
    super(why)
    this.why = why
    this.leadsTo = leadsTo
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

const statsOf = (file: string): Stats | undefined => {
  try {
    return lstatSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new UnfitFile(codeOf(error) === 'ENOTDIR' ? 'missing' : 'unreadable')
  }
}

/** @returns undefined where nothing has the name. @throws UnfitFile. */
export function readClientFile(file: string): Buffer | undefined {
  const stats = statsOf(file)
  if (!stats) return undefined
  if (stats.isSymbolicLink()) throw new UnfitFile('link', readlinkSync(file))
  if (!stats.isFile()) throw new UnfitFile('not-a-file')
  if (stats.size > MAX_CLIENT_FILE_BYTES) throw new UnfitFile('too-large')
  try {
    return readFileSync(file)
  } catch {
    throw new UnfitFile('unreadable')
  }
}

/** Whether the file, or where there is none its folder, takes a change. @throws UnfitFile. */
export function checkWritable(file: string): void {
  const stats = statsOf(file)
  // The superuser may write everything; a file without any write bit is meant to stay as it is all the same.
  if (stats && (stats.mode & 0o222) === 0) throw new UnfitFile('read-only')
  try {
    if (stats) accessSync(file, constants.W_OK)
    accessSync(existingFolder(dirname(file)), constants.W_OK)
  } catch {
    throw new UnfitFile('read-only')
  }
}

function existingFolder(folder: string): string {
  let at = folder
  while (!statsOf(at) && dirname(at) !== at) at = dirname(at)
  return at
}

export interface Replacement {
  readonly file: string
  /** What the file held when the change was made up; undefined where there was none. */
  readonly before: Uint8Array | undefined
  /** Undefined takes the file away. */
  readonly after: Uint8Array | undefined
}

/** Puts the new bytes in place, with the file's owner and permissions. @throws UnfitFile; then nothing has changed. */
export function replaceClientFile({ file, before, after }: Replacement): void {
  checkWritable(file)
  ensurePrivateFolder(dirname(file))
  const stats = statsOf(file)
  const draft = join(dirname(file), `.arrowhead-${randomBytes(12).toString('hex')}.tmp`)
  try {
    if (after) writeDraft(draft, after, stats)
    const now = readClientFile(file)
    if (before === undefined ? now !== undefined : now?.equals(before) !== true) throw new UnfitFile('changed')
    if (after) renameSync(draft, file)
    else rmSync(file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(draft: string, bytes: Uint8Array, like: Stats | undefined): void {
  const fd = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    if (like) fchmodSync(fd, like.mode & 0o777)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  if (like && typeof process.getuid === 'function' && like.uid !== process.getuid()) chownSync(draft, like.uid, like.gid)
}

/** Takes away folders that are empty, innermost first, up to the first that is not. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}

/** The folders that would have to be made for this file, innermost first. */
export function missingFolders(file: string): readonly string[] {
  const missing: string[] = []
  for (let at = dirname(file); !statsOf(at) && dirname(at) !== at; at = dirname(at)) missing.push(at)
  return missing
}
