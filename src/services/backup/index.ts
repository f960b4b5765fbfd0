/**
 * A copy of everything that a deployment keeps on its disk, and the way back. The list of files with their hashes is
 * written last: a copy without it is not whole, and is not put back.
 */

import { join } from 'node:path'
import { type Copied, copyLive, isVacant, makeFolder, measure, putBack, readNote, writeNote } from '../../exits/disk/snapshot.ts'

/** A folder of the deployment, and its name in the copy. */
export interface Kept {
  readonly name: string
  readonly folder: string
  /** What is left out, directly below it. */
  readonly without: readonly string[]
}

export interface Manifest {
  readonly format: 1
  readonly version: string
  readonly at: string
  readonly files: readonly Copied[]
  /** Empty ones. */
  readonly folders: readonly string[]
}

const LIST = 'backup.json'

/** What is wrong with a copy or with the place for it, as a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Told after each file: how many are done, and of how many where that is known. */
export type OnFile = (done: number, total?: number) => void

export interface BackupOptions extends Pick<Manifest, 'version' | 'at'> {
  readonly onFile?: OnFile | undefined
}

/** @throws BackupError where the folder is not empty. */
export async function makeBackup(into: string, kept: readonly Kept[], { version, at, onFile }: BackupOptions): Promise<Manifest> {
  if (!isVacant(into)) throw new BackupError('the folder for the copy is not empty')
  const copies = []
  let done = 0
  const onCopied = (): void => onFile?.((done += 1))
  for (const { folder, name, without } of kept) copies.push(await copyLive(folder, into, { name, without: new Set(without), onCopied }))
  const manifest: Manifest = { format: 1, version, at, files: copies.flatMap(({ files }) => files), folders: copies.flatMap(({ folders }) => folders) }
  writeNote(into, LIST, `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Checks the whole copy, then puts it back. @throws BackupError; then nothing was put back. */
export async function restoreBackup(from: string, kept: readonly Kept[], onFile?: OnFile): Promise<Manifest> {
  // Each file is read twice: once to see that it is what it was.
  const manifest = await checkBackup(from, (done, total = 0) => onFile?.(done, 2 * total))
  let done = manifest.files.length
  const full = kept.filter(({ name, folder }) => manifest.files.some(({ path }) => path.startsWith(`${name}/`)) && !isVacant(folder))
  if (full.length > 0) throw new BackupError(`not empty: ${full.map(({ folder }) => folder).join(', ')}`)
  for (const { name, folder } of kept) {
    const own = (path: string): boolean => path.startsWith(`${name}/`)
    const place = (path: string): string => join(folder, path.slice(name.length + 1))
    for (const { path } of manifest.files.filter((one) => own(one.path))) {
      putBack(from, path, place(path))
      onFile?.((done += 1), 2 * manifest.files.length)
    }
    for (const path of manifest.folders.filter(own)) makeFolder(place(path))
  }
  return manifest
}

/** @throws BackupError where a file is missing or is not what it was. */
export async function checkBackup(from: string, onFile?: OnFile): Promise<Manifest> {
  const manifest = parseManifest(readNote(from, LIST))
  for (const [at, { path, sha256 }] of manifest.files.entries()) {
    const now = await measure(join(from, path)).catch(() => undefined)
    if (now?.sha256 !== sha256) throw new BackupError(`the copy is not whole: ${path} ${now ? 'is not what it was' : 'is missing'}`)
    onFile?.(at + 1, manifest.files.length)
  }
  return manifest
}

function parseManifest(text: string | undefined): Manifest {
  if (text === undefined) throw new BackupError('there is no whole copy: backup.json is missing')
  try {
    const manifest = JSON.parse(text) as Manifest
    const isInside = (path: string): boolean => !path.split('/').some((name) => name === '' || name === '.' || name === '..')
    if (manifest.format === 1 && [...manifest.files.map(({ path }) => path), ...manifest.folders].every(isInside)) return manifest
  } catch {
    // Said below.
  }
  throw new BackupError('backup.json is not one that this version reads')
}
