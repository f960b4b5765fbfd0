/**
 * How a failed look at the disk is told. Everything that a probe could use to map the file system is one
 * refusal with one text, and so is a full disk; what is left (out of handles) is a fault that names no path.
 */

import { Refusal, refusal } from '../../kernel/refusal.ts'

/** For the audit alone: what the caller is not told apart. */
type Why = 'missing' | 'outside' | 'kind' | 'links' | 'name' | 'denied' | 'hard-link' | 'encoding' | 'root'

export const unavailable = (why: Why, hint?: string): Refusal => refusal('file.unavailable', hint, why)

const ERRNO: Readonly<Record<string, Why>> = {
  ENOENT: 'missing',
  ESTALE: 'missing',
  ENOTDIR: 'kind',
  EISDIR: 'kind',
  EINVAL: 'kind',
  ENXIO: 'kind',
  ENODEV: 'kind',
  ENOTSUP: 'kind',
  ELOOP: 'links',
  ENAMETOOLONG: 'name',
  EACCES: 'denied',
  EPERM: 'denied',
}

/** The errno name that Node puts on errors of `node:fs`, or empty. */
export const errnoOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])

/** A refusal where there was no room, or the error as it is. */
export const fullDisk = (error: unknown): unknown => (FULL.has(errnoOf(error)) ? refusal('disk.full', 'nothing was changed; the operator must make room', errnoOf(error)) : error)

/** Turns whatever a disk operation threw into what may leave this folder. */
export const diskError = (error: unknown): Error => {
  if (error instanceof Refusal || error instanceof TypeError) return error
  const [code, full] = [errnoOf(error), fullDisk(error)]
  if (full instanceof Refusal) return full
  if (code === 'EEXIST') return refusal('file.exists')
  const why = ERRNO[code]
  return why === undefined ? new Error('a disk operation failed', { cause: code || 'unknown' }) : unavailable(why)
}
