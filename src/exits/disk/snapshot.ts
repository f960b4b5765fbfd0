/**
 * A folder as it stands, copied while it is in use: databases by a snapshot of their own, other files byte by byte.
 * Links, sockets and devices are left out. A copy is private, and carries a hash for each file.
 */

import { createHash } from 'node:crypto'
import { chmodSync, constants, copyFileSync, createReadStream, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from './database.ts'
import { ensurePrivateFolder } from './private-folder.ts'

export interface Copied {
  /** From the root of the copy, with `/`. */
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

const DATABASE = /\.sqlite$/
/** What belongs to an open database, and drafts of writes that are under way. */
const PASSING = /\.sqlite-(?:wal|shm|journal)$|\.lock(?:-wal|-shm)?$|^\.arrowhead-[0-9a-f]{24}\.tmp$|\.pid$/

export interface LiveCopy {
  readonly files: readonly Copied[]
  /** Folders with nothing in them: a database may need them all the same. */
  readonly folders: readonly string[]
}

export interface CopyOptions {
  readonly name: string
  /** Folders and files directly below the place that is copied. */
  readonly without: ReadonlySet<string>
  /** Told after each file. */
  readonly onCopied?: () => void
}

/** Copies what is below `from` to `into/name`. */
export async function copyLive(from: string, into: string, { name, without, onCopied }: CopyOptions): Promise<LiveCopy> {
  const copied: Copied[] = []
  const folders: string[] = []
  for (const path of pathsBelow(from, without)) {
    if (path.endsWith('/')) {
      folders.push(`${name}/${path.slice(0, -1)}`)
      continue
    }
    const to = join(into, name, path)
    ensurePrivateFolder(dirname(to))
    if (DATABASE.test(path)) snapshot(join(from, path), to)
    else copyFileSync(join(from, path), to)
    chmodSync(to, 0o600)
    copied.push({ path: `${name}/${path}`, ...(await measure(to)) })
    onCopied?.()
  }
  return { files: copied, folders }
}

/** Files, and with a slash at their end empty folders. */
function* pathsBelow(root: string, without: ReadonlySet<string>): Generator<string> {
  if (!existsSync(root)) return
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (without.has(entry.name) || PASSING.test(entry.name)) continue
    if (entry.isFile()) yield entry.name
    else if (entry.isDirectory()) {
      if (readdirSync(join(root, entry.name)).length === 0) yield `${entry.name}/`
      else for (const path of pathsBelow(join(root, entry.name), NONE)) yield `${entry.name}/${path}`
    }
  }
}
const NONE: ReadonlySet<string> = new Set()

/** One state of the database, whoever writes meanwhile. */
function snapshot(from: string, to: string): void {
  const db = openDatabase(from)
  try {
    db.run('VACUUM INTO ?', to)
  } finally {
    db.close()
  }
}

export async function measure(file: string): Promise<Pick<Copied, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return { bytes: lstatSync(file).size, sha256: hash.digest('hex') }
}

/** Whether nothing is there, or an empty folder. */
export const isVacant = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/** Puts one file of a copy into its place; what is there already is not replaced. */
export function putBack(copy: string, path: string, to: string): void {
  ensurePrivateFolder(dirname(to))
  copyFileSync(join(copy, path), to, constants.COPYFILE_EXCL)
  chmodSync(to, 0o600)
}

export const makeFolder = (folder: string): void => ensurePrivateFolder(folder)

export const writeNote = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx', flush: true })
}

export const readNote = (folder: string, name: string): string | undefined => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined)
