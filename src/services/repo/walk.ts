/** One pass through the tree: what the asker may not read leaves no trace in it, and what is left out is counted. */

import { createHash } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScannedFile, ScannedFolder } from '../../exits/disk/folder-scan.ts'
import { read } from '../../kernel/access.ts'
import { REPO_SKIPS, type RepoAsker, type RepoFile, type RepoLimit, type RepoSkip, type RepoStamp, type RepoWalk } from '../../kernel/ports/repo.ts'
import { IgnoreEffort, type IgnoreFile, type IgnoreRules, ignoreRules } from './gitignore.ts'
import { sourceText, unfit } from './source-text.ts'
import { ignoreFileOf, type Tree } from './tree.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

/** A file that has not been read yet. */
export interface WalkedFile extends RepoFile {
  /** Undefined when it is left out, which the walk has counted by then. */
  bytes(): Uint8Array | undefined
}

export interface WalkOptions {
  readonly prefix: string
  readonly asker: RepoAsker
  readonly maxFiles: number
  /** Names that count whatever their extension. */
  readonly alsoNames?: ReadonlySet<string>
}

const MAX_NAMES = 1_000_000
/** Files met between two turns of the event loop. */
const MET_AT_ONCE = 64

export class Walk implements RepoWalk {
  readonly #tree: Tree
  readonly #options: WalkOptions
  readonly #skipped = new Map<RepoSkip, number>()
  readonly #seen: string[] = []
  /** Answers about files that were left out, where they are not there at once. */
  #waiting: Promise<void>[] = []
  readonly #levels: { readonly depth: number; readonly file: IgnoreFile }[] = []
  readonly #effort = new IgnoreEffort()
  #rules: IgnoreRules = ignoreRules([], this.#effort)
  #limit: RepoLimit | undefined

  constructor(tree: Tree, options: WalkOptions) {
    this.#tree = tree
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WalkedFile> {
    const { prefix, maxFiles } = this.#options
    let met = 0
    try {
      for (const file of this.#filesBelow(prefix)) {
        if ((met += 1) % MET_AT_ONCE === 0) await this.#breathe()
        const may = this.#options.asker.may(read('repo_file', file.path))
        if (!(may instanceof Promise ? await may : may)) continue
        if (!(this.#seen.length < maxFiles)) {
          this.#limit = 'files'
          return
        }
        this.#seen.push(`${file.path}\0${file.size}\0${file.modifiedMs}\n`)
        if (file.size <= this.#tree.options.maxFileBytes) yield new Met(file, this, this.#tree.options.maxFileBytes)
        else this.skip('too-large')
      }
      await this.#breathe()
    } catch (error) {
      // Only a walk's own limit is told so: a path that is too long or no path is the caller's to hear.
      if (!(error instanceof Refusal) || error.code !== 'file.too-large') throw error
      this.#limit = 'names'
    }
  }

  skip(reason: RepoSkip): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1)
  }

  stamp(truncated?: RepoLimit): RepoStamp {
    const hash = createHash('sha256')
    for (const seen of this.#seen) hash.update(seen)
    const skipped = REPO_SKIPS.flatMap((reason) => {
      const count = this.#skipped.get(reason)
      return count === undefined ? [] : [{ reason, count }]
    })
    return { state: hash.digest('hex'), filesSeen: this.#seen.length, skipped, truncated: this.#limit ?? truncated }
  }

  #filesBelow(prefix: string): Iterable<ScannedFile> {
    const { names, options } = this.#tree
    const has = (name: string): boolean => names.has(name) || this.#options.alsoNames?.has(name) === true
    return this.#tree.scan().files(prefix, {
      maxNames: options.maxNames ?? MAX_NAMES,
      enters: (folder) => this.#enters(folder),
      wants: (name, folder) => has(name) && !this.#rules.ignores(namesOf(folder), name, false),
      onLeft: (path, why) => this.#left(path, why === 'unreadable' ? why : has(path.slice(path.lastIndexOf('/') + 1)) ? 'ignored' : 'extension'),
    })
  }

  #enters(folder: ScannedFolder): boolean {
    const names = namesOf(folder.path)
    const name = names.at(-1)
    while ((this.#levels.at(-1)?.depth ?? -1) >= names.length) this.#levels.pop()
    if (name !== undefined) {
      if (this.#tree.isExcluded(name)) return false
      if (ignoreRules(this.#levels, this.#effort).ignores(names.slice(0, -1), name, true)) {
        this.#left(folder.path, 'ignored')
        return false
      }
    }
    this.#levels.push({ depth: names.length, file: ignoreFileOf(folder) })
    this.#rules = ignoreRules(this.#levels, this.#effort)
    return true
  }

  /** Counts what the asker may know of. */
  #left(path: string, reason: RepoSkip): void {
    const may = this.#options.asker.may(read('repo_file', path))
    if (may instanceof Promise) this.#waiting.push(may.then((yes) => void (yes && this.skip(reason))))
    else if (may) this.skip(reason)
  }

  async #breathe(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    await Promise.all(waiting)
    await othersTurn()
    const { signal } = this.#options.asker
    if (signal.aborted) throw stopReason(signal)
  }
}

const namesOf = (folder: string): readonly string[] => (folder === '' ? [] : folder.split('/'))

class Met implements WalkedFile {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly #file: ScannedFile
  readonly #walk: Walk
  readonly #maxBytes: number

  constructor(file: ScannedFile, walk: Walk, maxBytes: number) {
    this.path = file.path
    this.size = file.size
    this.modifiedMs = file.modifiedMs
    this.#file = file
    this.#walk = walk
    this.#maxBytes = maxBytes
  }

  bytes(): Uint8Array | undefined {
    try {
      const bytes = this.#file.bytes({ maxBytes: this.#maxBytes })
      const why = unfit(bytes)
      if (why === undefined) return bytes
      this.#walk.skip(why)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#walk.skip(error.code === 'file.too-large' ? 'too-large' : 'unreadable')
    }
    return undefined
  }

  text(): string | undefined {
    const bytes = this.bytes()
    return bytes && sourceText(bytes)
  }
}
