/** Opens documents of a jailed folder: by the one path that they have, never by a link or another name. */

import { createHash } from 'node:crypto'
import type { Jail } from '../../exits/disk/jail.ts'
import type { OpenedFile } from '../../exits/disk/opened-file.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { documentPath, type DocumentNames, isDocument } from './document-path.ts'

/** SHA-256 (FIPS 180-4) in lower-case hex. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const pathOf = (names: readonly string[]): string => names.join('/').normalize('NFC')

/**
 * The caller closes it. A link would give a document a second path, which grants and limits do not know.
 * @throws Refusal as `Corpus` says.
 */
export const openDocument = async (jail: Jail, path: string, names: DocumentNames): Promise<OpenedFile> => {
  const file = await jail.openForRead(path)
  if (isDocument(path, names) && pathOf(file.names) === documentPath(path)) return file
  file.close()
  throw refusal('file.unavailable', undefined, 'kind')
}

/** Bytes of a document, or undefined when there is none. @throws Refusal `path.invalid` or `file.credential`. */
export const sizeOf = async (jail: Jail, path: string, names: DocumentNames): Promise<number | undefined> => {
  try {
    const file = await openDocument(jail, path, names)
    file.close()
    return file.size
  } catch (error) {
    if (error instanceof Refusal && error.code === 'file.unavailable') return undefined
    throw error
  }
}

/** Folders above that exist must be what their names say. @throws Refusal `file.unavailable` for a way through a link. */
export const checkWayTo = async (jail: Jail, path: string): Promise<void> => {
  const above = documentPath(path).split('/').slice(0, -1)
  for (const [depth] of above.entries()) {
    const folder = above.slice(0, depth + 1).join('/')
    const names = await jail.stat(folder).then((stats) => stats.names, (error: unknown) => {
      if (error instanceof Refusal && error.reason === 'missing') return undefined
      throw error
    })
    if (names === undefined) return
    if (pathOf(names) !== folder) throw refusal('file.unavailable', undefined, 'links')
  }
}
