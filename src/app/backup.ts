/** What a deployment keeps on its disk, copied while it serves, and put back into a fresh place. */

import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Settings } from '../config/index.ts'
import { VERSION } from '../kernel/version.ts'
import { BackupError, type Kept, makeBackup, type Manifest, type OnFile, restoreBackup } from '../services/backup/index.ts'

export { BackupError }
export type { Manifest }

export interface BackupPlace {
  readonly settings: Pick<Settings, 'docsRoot' | 'docsS3Url' | 'memoryRoot' | 'memoryDsn'>
  readonly dataDir: string
  readonly cwd: string
}

const EMBEDDED = 'postgres-18'

/** @param folder an empty or a new one. @throws BackupError. */
export async function backUp(folder: string, place: BackupPlace, { withoutDatabase, onFile }: { readonly withoutDatabase: boolean; readonly onFile?: OnFile }): Promise<Manifest> {
  const kept = keptIn(place, withoutDatabase ? [EMBEDDED] : [])
  if (kept.some((one) => isInside(folder, one.folder))) throw new BackupError('the copy must lie outside of what it copies')
  const at = new Date().toISOString()
  const make = (): Promise<Manifest> => makeBackup(folder, kept, { version: VERSION, at, onFile })
  const database = join(place.dataDir, EMBEDDED)
  if (withoutDatabase || !existsSync(database)) return make()
  const { takeOwnerLock } = await import('../services/database/owner-lock.ts')
  const lock = takeOwnerLock(join(database, 'owner.lock'))
  if (!lock) throw new BackupError('the embedded database is in use: stop what serves it, or leave it out with --without-database')
  try {
    return await make()
  } finally {
    lock.release()
  }
}

/** @throws BackupError; then nothing was put back. */
export const putBack = (folder: string, place: BackupPlace, onFile?: OnFile): Promise<Manifest> => restoreBackup(folder, keptIn(place, []), onFile)

/** A store that is elsewhere (a bucket, a database server) is backed up there. */
function keptIn({ settings, dataDir, cwd }: BackupPlace, without: readonly string[]): readonly Kept[] {
  const roots = [
    ...(settings.docsS3Url === undefined ? [{ name: 'documents', folder: resolve(cwd, settings.docsRoot) }] : []),
    ...(settings.memoryDsn === undefined ? [{ name: 'memory', folder: resolve(cwd, settings.memoryRoot) }] : []),
  ]
  return [{ name: 'data', folder: dataDir, without }, ...roots.filter(({ folder }) => !isInside(folder, dataDir)).map((root) => ({ ...root, without: [] }))]
}

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || !/^\.\.(?:[\\/]|$)|^[A-Za-z]:|^\//.test(way)
}
