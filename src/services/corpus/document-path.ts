/** Which paths can be a document's: a name with an allowed extension, written the one way that counts. */

import { extname } from 'node:path'
import { refusal } from '../../kernel/refusal.ts'

export interface DocumentNames {
  /** Lower case, with the dot. */
  readonly extensions: readonly string[]
  /** Whether the last name of a path is a document's. */
  matches(name: string): boolean
}

/** Extensions are compared without case. An empty list allows no document. */
export const documentNames = (extensions: readonly string[]): DocumentNames => {
  const allowed = new Set(extensions.map((extension) => extension.toLowerCase()))
  return {
    extensions: [...allowed].sort(),
    // A name that is nothing but an extension has none: `.md` is a hidden file.
    matches: (name) => allowed.has(extname(name).toLowerCase()),
  }
}

/** The spelling that counts. What is wrong with the path otherwise is the jail's to say. */
export const documentPath = (path: string): string =>
  path.normalize('NFC').split('/').filter((name) => name !== '' && name !== '.').join('/')

/** Whether a path asks for a folder (POSIX.1-2017 §4.13). */
const asksForFolder = (path: string): boolean => /(?:^|\/)\.?$/.test(path)

export const isDocument = (path: string, names: DocumentNames): boolean =>
  !asksForFolder(path) && names.matches(path.slice(path.lastIndexOf('/') + 1))

/** @throws Refusal `path.invalid`. */
export const checkWritable = (path: string, names: DocumentNames): void => {
  if (isDocument(path, names)) return
  throw refusal('path.invalid', 'the name does not end like a document of this corpus', 'extension')
}
