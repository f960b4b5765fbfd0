/**
 * What a caller may write as a path: names joined by `/`, all of them below a root. A spelling is judged
 * and normalised here, once; whether anything exists there is not this file's business.
 */

import { type Refusal, refusal } from '../kernel/refusal.ts'

/** Longest path, in UTF-8 bytes. */
export const MAX_PATH_BYTES = 4096
/** Longest name between two slashes, in UTF-8 bytes: the limit of the common file systems. */
export const MAX_NAME_BYTES = 255

/** The last component of a path that was written with a trailing slash, so that it can only name a folder. */
export const FOLDER_MARK = '.'

const HINT = 'write names joined by /, without a leading slash, .. or backslash'

/** Control characters but TAB, which is legal and found in real names; backslashes; unpaired surrogates. */
const UNSPEAKABLE = /[\p{Cc}\\\p{Cs}]/u
const TAB = /\t/g

const encoder = new TextEncoder()

/** No UTF-16 unit takes more than three bytes, so most texts need no counting. */
const isLonger = (text: string, maxBytes: number): boolean =>
  text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes

const invalid = (reason: string): Refusal => refusal('path.invalid', HINT, reason)

/**
 * Splits a path into its names, in Unicode normal form C (UAX #15). `.` and empty components are dropped; a
 * trailing one (`docs/`, `docs/.`) stays as a last {@link FOLDER_MARK}, because it asks for a folder
 * (POSIX.1-2017 §4.13). The root itself, `.`, is the empty list. Nothing is decoded or expanded: `%2e`,
 * `&#46;`, `~` and `C:` are names like any other, and so are characters that only look like dots.
 *
 * @returns the names, or a Refusal `path.invalid`.
 */
export const parseRelativePath = (raw: string): readonly string[] | Refusal => {
  if (raw === '') return invalid('empty')
  if (raw.length > MAX_PATH_BYTES) return invalid('length')
  const path = raw.normalize('NFC')
  if (UNSPEAKABLE.test(path.replace(TAB, ''))) return invalid('character')
  if (path.startsWith('/')) return invalid('absolute')
  if (isLonger(path, MAX_PATH_BYTES)) return invalid('length')

  const written = path.split('/')
  if (written.includes('..')) return invalid('parent')
  const names = written.filter((name) => name !== '' && name !== '.')
  if (names.some((name) => isLonger(name, MAX_NAME_BYTES))) return invalid('length')
  const last = written.at(-1)
  return names.length > 0 && (last === '' || last === '.') ? [...names, FOLDER_MARK] : names
}
