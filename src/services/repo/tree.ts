/**
 * The source tree as a set of files: below one root, outside of excluded folders, not named by a `.gitignore`, with an
 * allowed extension. Reads and walks judge by the same rules. The root may be missing when the server starts; it is
 * looked for again at every call until it is there.
 */

import { type FolderScan, openFolderScan, type ScannedFolder } from '../../exits/disk/folder-scan.ts'
import { type Jail, openJail } from '../../exits/disk/jail.ts'
import type { OpenedFile } from '../../exits/disk/opened-file.ts'
import { read } from '../../kernel/access.ts'
import type { RepoAsker } from '../../kernel/ports/repo.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { type FileNames, fileNames } from './file-names.ts'
import { IgnoreEffort, type IgnoreFile, ignoreRules, parseGitignore } from './gitignore.ts'
import { sourceText } from './source-text.ts'

export interface TreeOptions {
  /** A relative one is taken from the working directory of the first call. */
  readonly root: string
  /** With their dots; compared without case. */
  readonly extensions: readonly string[]
  /** Names of folders that are never entered; those with a dot are compared without case. */
  readonly excludedFolders: readonly string[]
  /** Larger files are not read. */
  readonly maxFileBytes: number
  /** Names looked at in one walk; a million by default. */
  readonly maxNames?: number
  /** Called before every look of the jail at the disk, for tests of races. */
  readonly onStep?: () => void
}

const IGNORE_FILE = '.gitignore'
const IGNORE_LIMIT = { maxBytes: 1_000_000 }
const NOTHING: IgnoreFile = []
const NO_NAMES: ReadonlySet<string> = new Set()

export class Tree {
  readonly options: TreeOptions
  readonly names: FileNames
  readonly #excluded: ReadonlySet<string>
  #jail: Promise<Jail> | undefined
  #scan: FolderScan | undefined
  #isClosed = false

  constructor(options: TreeOptions) {
    this.options = options
    this.names = fileNames(options.extensions)
    this.#excluded = new Set(options.excludedFolders.map((name) => (name.startsWith('.') ? name.toLowerCase() : name)))
  }

  isExcluded(name: string): boolean {
    return this.#excluded.has(name) || (name.startsWith('.') && this.#excluded.has(name.toLowerCase()))
  }

  /** @throws Refusal `file.unavailable` when there is no such folder. */
  scan(): FolderScan {
    this.#checkOpen()
    return (this.#scan ??= openFolderScan(this.options.root))
  }

  /**
   * By the path that it really has; the caller closes it.
   * @param alsoNames names that count whatever their extension.
   * @throws Refusal as `Repo` says, and `access.denied` for a link to what the asker may not read.
   */
  async open(path: string, { may }: Pick<RepoAsker, 'may'>, alsoNames: ReadonlySet<string> = NO_NAMES): Promise<OpenedFile & { readonly path: string }> {
    const jail = await this.#opened()
    const file = await jail.openForRead(path)
    try {
      const real = file.names.join('/').normalize('NFC')
      const isPlain = real === path.normalize('NFC')
      if (!isPlain && !(await may(read('repo_file', real)))) throw refusal('access.denied')
      if (!(await this.#holds(jail, real.split('/'), alsoNames))) throw refusal('file.unavailable', undefined, 'kind')
      return { ...file, path: real }
    } catch (error) {
      file.close()
      throw error
    }
  }

  /** The path that a link in a prefix leads to; undefined when it is no link or leads nowhere. */
  async target(prefix: string): Promise<string | undefined> {
    if (prefix === '') return undefined
    try {
      const { names, kind } = await (await this.#opened()).stat(prefix)
      const plain = names.join('/').normalize('NFC')
      const real = kind === 'folder' && plain !== '' ? `${plain}/` : plain
      return plain === prefix.normalize('NFC').replace(/\/$/, '') ? undefined : real
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#scan?.close()
    ;(await this.#jail?.catch(() => undefined))?.close()
  }

  async #holds(jail: Jail, names: readonly string[], alsoNames: ReadonlySet<string>): Promise<boolean> {
    const [above, name = ''] = [names.slice(0, -1), names.at(-1)]
    if (!(this.names.has(name) || alsoNames.has(name)) || above.some((folder) => this.isExcluded(folder))) return false
    const [levels, effort]: [{ readonly depth: number; readonly file: IgnoreFile }[], IgnoreEffort] = [[], new IgnoreEffort()]
    for (let depth = 0; depth <= above.length; depth += 1) {
      const rules = ignoreRules(levels, effort)
      if (depth > 0 && rules.ignores(above.slice(0, depth - 1), above[depth - 1] ?? '', true)) return false
      levels.push({ depth, file: await ignoreFileIn(jail, above.slice(0, depth)) })
    }
    return !ignoreRules(levels, effort).ignores(above, name, false)
  }

  #checkOpen(): void {
    if (this.#isClosed) throw refusal('file.unavailable', undefined, 'root')
  }

  async #opened(): Promise<Jail> {
    this.#checkOpen()
    const { root, onStep = () => {} } = this.options
    this.#jail ??= openJail(root, { onStep }).catch((error: unknown) => {
      this.#jail = undefined
      throw error
    })
    return this.#jail
  }
}

/** A linked one has no say, as for git. */
async function ignoreFileIn(jail: Jail, folder: readonly string[]): Promise<IgnoreFile> {
  const names = [...folder, IGNORE_FILE]
  try {
    const file = await jail.openForRead(names.join('/'))
    try {
      return file.names.join('/') === names.join('/') ? parseGitignore(sourceText(file.bytes(IGNORE_LIMIT))) : NOTHING
    } finally {
      file.close()
    }
  } catch (error) {
    return unlessRefused(error)
  }
}

export function ignoreFileOf(folder: ScannedFolder): IgnoreFile {
  try {
    const bytes = folder.bytes(IGNORE_FILE, IGNORE_LIMIT)
    return bytes === undefined ? NOTHING : parseGitignore(sourceText(bytes))
  } catch (error) {
    return unlessRefused(error)
  }
}

const unlessRefused = (error: unknown): IgnoreFile => {
  if (error instanceof Refusal) return NOTHING
  throw error
}
