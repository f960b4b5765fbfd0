/**
 * The one spelling of a path that a caller wrote: absolute, `~` of the own user expanded, `.` and `..` taken away by
 * name. What is checked is this spelling, and this spelling is what is opened, so nothing is lost between the two.
 */

import { type Refusal, refusal } from '../kernel/refusal.ts'
import { MAX_PATH_BYTES, parseRelativePath } from './relative-path.ts'

export interface Standpoint {
  /** Absolute; what `~` stands for. */
  readonly home: string
  /** Absolute; where a relative path begins. */
  readonly cwd: string
}

const invalid = (hint: string, reason: string): Refusal => refusal('path.invalid', hint, reason)

/** @returns the names from the root of the disk; a trailing slash stays as a last `.`. */
export function spellPath(raw: string, { home, cwd }: Standpoint): readonly string[] | Refusal {
  if (raw === '') return invalid('write a path', 'empty')
  if (raw.length > MAX_PATH_BYTES) return invalid('the path is too long', 'length')
  if (/[\p{Cc}\\\p{Cs}]/u.test(raw.replaceAll('\t', ''))) return invalid('write no backslashes and no control characters', 'character')
  const isHome = raw === '~' || raw.startsWith('~/')
  if (raw.startsWith('~') && !isHome) return invalid('only your own home is known: write ~/ or an absolute path', 'user')
  const written = isHome ? home + raw.slice(1) : raw.startsWith('/') ? raw : `${cwd}/${raw}`
  const names: string[] = []
  for (const name of written.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  if (names.length === 0) return []
  const asksFolder = /\/\.{0,2}$/.test(written) || written.endsWith('/..')
  return parseRelativePath(`${names.join('/')}${asksFolder ? '/' : ''}`)
}

export const isBelow = (names: readonly string[], root: readonly string[]): boolean => root.length <= names.length && root.every((name, index) => names[index] === name)
