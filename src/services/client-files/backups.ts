/** What a client's file was before each change, newest last: private files of the data directory, twenty a file at most. */

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../../exits/disk/private-folder.ts'

const KEPT = 20
const NAME = /^\d{6}\.json$/

export interface Backup {
  readonly file: string
  /** Undefined where the change made the file. */
  readonly before: Buffer | undefined
  /** Of what the change left, hexadecimal. */
  readonly afterSha256: string
  /** Folders that the change made, innermost first. */
  readonly madeFolders: readonly string[]
}

export interface Backups {
  /** @returns where it is kept. */
  push(backup: Backup): string
  newest(file: string): Backup | undefined
  drop(file: string): void
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** @param dataDir the directory of databases and keys; made when the first backup is. */
export function createBackups(dataDir: string): Backups {
  const folderOf = (file: string): string => join(dataDir, 'client-backups', sha256Of(Buffer.from(file)).slice(0, 32))
  const namesIn = (folder: string): readonly string[] => {
    try {
      return readdirSync(folder).filter((name) => NAME.test(name)).sort()
    } catch {
      return []
    }
  }
  return {
    push({ file, before, afterSha256, madeFolders }) {
      const folder = folderOf(file)
      ensurePrivateFolder(join(dataDir, 'client-backups'))
      mkdirSync(folder, { mode: 0o700, recursive: true })
      const names = namesIn(folder)
      const place = join(folder, `${String(Number.parseInt(names.at(-1) ?? '0', 10) + 1).padStart(6, '0')}.json`)
      const row = { file, before: before?.toString('base64') ?? null, afterSha256, madeFolders }
      writeFileSync(place, JSON.stringify(row), { mode: 0o600, flag: 'wx', flush: true })
      for (const old of names.slice(0, Math.max(0, names.length + 1 - KEPT))) rmSync(join(folder, old), { force: true })
      return place
    },
    newest(file) {
      const folder = folderOf(file)
      const name = namesIn(folder).at(-1)
      if (name === undefined) return undefined
      const { before, ...row } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<Backup, 'before'> & { readonly before: string | null }
      return { ...row, before: before === null ? undefined : Buffer.from(before, 'base64') }
    },
    drop(file) {
      const folder = folderOf(file)
      const name = namesIn(folder).at(-1)
      if (name !== undefined) rmSync(join(folder, name), { force: true })
    },
  }
}
