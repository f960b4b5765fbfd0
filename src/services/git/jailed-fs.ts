/**
 * A file system for isomorphic-git that cannot leave the working tree, writes nothing, and ends when more was asked of
 * it than a repository is worth. What it is asked to write is taken and dropped: it only keeps its own caches that way.
 */

import { inflateSync } from 'node:zlib'
import { type Jail, openJail } from '../../exits/disk/jail.ts'
import { Refusal } from '../../kernel/refusal.ts'

const REPOSITORY = '.git'
const MAX_LOOKS = 400_000
const MAX_TREE_FILE_BYTES = 32_000_000
const MAX_GIT_FILE_BYTES = 256_000_000
const MAX_ALL_BYTES = 512_000_000
const MAX_ENTRIES = 50_000
const MAX_OBJECT_BYTES = 64_000_000
const LOOSE_OBJECT = /^objects\/[\da-f]{2}\/[\da-f]{38,62}$/

class SystemError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Whether a pack's index is as long as the objects take that it counts (gitformat-pack(5), version 2): the library believes the count. */
function holdsItsObjects(bytes: Buffer): boolean {
  const [lastCount, head, perObject] = [8 + 255 * 4, 8 + 256 * 4, 28]
  return bytes.length >= head && head + bytes.readUInt32BE(lastCount) * perObject <= bytes.length
}

/** The library unpacks an object as a whole, whatever it becomes. */
function staysSmall(bytes: Buffer): boolean {
  try {
    inflateSync(bytes, { maxOutputLength: MAX_OBJECT_BYTES })
    return true
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE'
  }
}

const missing = (): SystemError => new SystemError('ENOENT')

export class JailedFs {
  readonly #tree: Jail
  readonly #git: Jail
  readonly #root: string
  #looks = 0
  #bytes = 0
  /** Whether it was asked for more than it gives; then nothing more is read. */
  exceeded = false

  private constructor(root: string, tree: Jail, git: Jail) {
    this.#root = root
    this.#tree = tree
    this.#git = git
  }

  /** @throws Refusal `file.unavailable` where there is no such folder, or its repository is elsewhere. */
  static async open(root: string): Promise<JailedFs> {
    const tree = await openJail(root)
    const there = await tree.look(REPOSITORY)
    if (there?.kind !== 'folder') throw new TypeError('no repository')
    return new JailedFs(root, tree, await openJail(`${root}/${REPOSITORY}`, { allowCredentials: true }))
  }

  /** What isomorphic-git wants: the promises of `node:fs`. */
  get promises() {
    const nothing = async (): Promise<void> => {}
    return {
      readFile: (path: string, options?: unknown) => this.#readFile(path, options),
      stat: (path: string) => this.#stat(path),
      lstat: (path: string) => this.#stat(path),
      readdir: (path: string) => this.#list(path),
      readlink: (path: string) => this.#readlink(path),
      writeFile: nothing, mkdir: nothing, rmdir: nothing, unlink: nothing, symlink: nothing, rm: nothing, chmod: nothing,
    }
  }

  close(): void {
    this.#git.close()
    this.#tree.close()
  }

  async #readFile(path: string, options: unknown): Promise<Uint8Array | string> {
    const { jail, below, isGit } = this.#at(path)
    const bytes = Buffer.from(await this.#told(jail.readBytes(below, { maxBytes: isGit ? MAX_GIT_FILE_BYTES : MAX_TREE_FILE_BYTES })))
    this.#bytes += bytes.length
    this.#check(this.#bytes <= MAX_ALL_BYTES && (!below.endsWith('.idx') || holdsItsObjects(bytes)))
    this.#check(!isGit || !LOOSE_OBJECT.test(below) || staysSmall(bytes))
    const encoding = typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding
    return encoding === undefined ? bytes : bytes.toString('utf8')
  }

  async #stat(path: string) {
    const { jail, below } = this.#at(path)
    const there = await this.#told(jail.look(below))
    if (there === undefined) throw missing()
    return there.stats
  }

  async #list(path: string): Promise<string[]> {
    const { jail, below, isGit } = this.#at(path)
    const entries = await this.#told(jail.list(below, { maxEntries: MAX_ENTRIES }))
    const names = entries.map(({ name }) => name)
    if (isGit) return names
    const shown: string[] = []
    // What the jail would not read is not there: the library cannot bear a name without anything behind it.
    for (const name of names) if ((below !== '.' || name !== REPOSITORY) && (await this.#isThere(below === '.' ? name : `${below}/${name}`))) shown.push(name)
    return shown
  }

  async #isThere(path: string): Promise<boolean> {
    this.#looks += 1
    this.#check(this.#looks <= MAX_LOOKS)
    try {
      return (await this.#tree.look(path)) !== undefined
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  async #readlink(path: string): Promise<string> {
    const { jail, below } = this.#at(path)
    const there = await this.#told(jail.look(below))
    if (there?.target === undefined) throw missing()
    return there.target
  }

  #at(path: string): { readonly jail: Jail; readonly below: string; readonly isGit: boolean } {
    this.#looks += 1
    this.#check(this.#looks <= MAX_LOOKS)
    if (path !== this.#root && !path.startsWith(`${this.#root}/`)) throw missing()
    const names = path.slice(this.#root.length).split('/').filter((name) => name !== '' && name !== '.')
    const isGit = names[0] === REPOSITORY
    const below = (isGit ? names.slice(1) : names).join('/') || '.'
    return { jail: isGit ? this.#git : this.#tree, below, isGit }
  }

  #check(isWithin: boolean): void {
    if (isWithin && !this.exceeded) return
    this.exceeded = true
    throw new SystemError('EFBIG')
  }

  async #told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'file.too-large') this.exceeded = true
      throw missing()
    }
  }
}
