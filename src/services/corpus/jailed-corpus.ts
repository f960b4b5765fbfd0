/**
 * The `Corpus` port over one jailed folder. Documents are its regular files with an allowed extension; links lead
 * to none. The folder may be missing when the server starts; it is looked for again at every call until it is there.
 */

import { setImmediate as othersTurn } from 'node:timers/promises'
import { systemClock } from '../../exits/clock.ts'
import { type FolderScan, openFolderScan, type ScannedFile } from '../../exits/disk/folder-scan.ts'
import { type Jail, openJail } from '../../exits/disk/jail.ts'
import type { OpenedFile, ReadLimit } from '../../exits/disk/opened-file.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { Accounts } from './accounts.ts'
import type {
  Corpus, CorpusDocument, CorpusEntry, CorpusUsage, DocumentStat, ListOptions, OpenCorpus, WriteMode, Written,
} from '../../kernel/ports/corpus.ts'
import { checkWritable, documentNames, documentPath } from './document-path.ts'
import { LEDGER_SCHEMA } from './ledger.ts'
import { checkWayTo, openDocument, sha256Of, sizeOf } from './opened-document.ts'
import { WriteLock } from './write-lock.ts'

export interface JailedCorpusOptions {
  /** Folder that holds the documents; a relative one is taken from the working directory of the first call. */
  readonly root: string
  /** With their dots; compared without case. An empty list allows no document. */
  readonly extensions: readonly string[]
  /** Larger documents are neither read nor written. */
  readonly maxDocumentBytes: number
  /** Larger documents are not written; `maxDocumentBytes` unless set. */
  readonly maxWriteBytes?: number
  /** What the corpus may hold after a write. */
  readonly quotaBytes: number
  /** SQLite file of all processes that write to this folder; outside of it. Without one nothing is written. */
  readonly ledgerFile: string | undefined
  /** Names looked at by one listing or count; a million by default. */
  readonly maxNames?: number
  /** How long the ledger's count is good when files may come and go by other hands; an hour by default. */
  readonly recountAfterMs?: number
  readonly clock?: Pick<Clock, 'now'>
  /** Called before looks at the disk and around every commit, for tests of crashes. */
  readonly onStep?: () => void
}

interface Place {
  readonly jail: Jail
  readonly scan: FolderScan
  readonly accounts: Accounts
}

const MAX_NAMES = 1_000_000
const HOUR_MS = 3_600_000
/** Documents listed between two turns of the event loop. */
const LISTED_AT_ONCE = 256

class JailedCorpus implements OpenCorpus {
  readonly #options: JailedCorpusOptions
  readonly #names
  #place: Promise<Place> | undefined
  #isClosed = false

  constructor(options: JailedCorpusOptions) {
    this.#options = options
    this.#names = documentNames(options.extensions)
  }

  async read(path: string): Promise<CorpusDocument> {
    return this.#use(path, (file) => {
      const bytes = file.bytes({ maxBytes: this.#options.maxDocumentBytes })
      return { ...statOf(file), size: bytes.length, bytes, sha256: sha256Of(bytes) }
    })
  }

  async stat(path: string): Promise<DocumentStat> {
    return this.#use(path, statOf)
  }

  async *list(prefix: string, { maxEntries = Number.POSITIVE_INFINITY }: ListOptions = {}): AsyncGenerator<CorpusEntry> {
    const scan = await this.#scan()
    if (scan === undefined || !(maxEntries > 0)) return
    const { maxNames = MAX_NAMES } = this.#options
    let listed = 0
    for (const file of scan.files(prefix, { wants: (name) => this.#names.matches(name), maxNames })) {
      const entry = new Entry(file, this, { maxBytes: this.#options.maxDocumentBytes })
      try {
        yield entry
      } finally {
        entry.leave()
      }
      listed += 1
      if (listed >= maxEntries) return
      if (listed % LISTED_AT_ONCE === 0) await othersTurn()
    }
  }

  async write(path: string, bytes: Uint8Array, mode: WriteMode): Promise<Written> {
    const { jail, accounts } = await this.#opened()
    const { maxDocumentBytes, maxWriteBytes = maxDocumentBytes } = this.#options
    // Says what is wrong with the path before anything is marked.
    await sizeOf(jail, path, this.#names)
    checkWritable(path, this.#names)
    await checkWayTo(jail, path)
    if (!(bytes.length <= Math.min(maxDocumentBytes, maxWriteBytes))) throw refusal('file.too-large')
    return accounts.write({ path: documentPath(path), bytes, mode, maxBytes: maxDocumentBytes })
  }

  async usage(): Promise<CorpusUsage> {
    const { accounts } = await this.#opened()
    return { usedBytes: await accounts.used(), quotaBytes: this.#options.quotaBytes }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const place = await this.#place?.catch(() => undefined)
    await place?.accounts.close()
    place?.scan.close()
    place?.jail.close()
  }

  async #opened(): Promise<Place> {
    if (this.#isClosed) throw refusal('file.unavailable', undefined, 'root')
    this.#place ??= this.#open().catch((error: unknown) => {
      this.#place = undefined
      throw error
    })
    return await this.#place
  }

  async #open(): Promise<Place> {
    const { root, quotaBytes, ledgerFile, maxNames = MAX_NAMES, recountAfterMs = HOUR_MS } = this.#options
    const { clock = systemClock, onStep = () => {} } = this.#options
    const jail = await openJail(root, { onStep })
    const scan = openFolderScan(root)
    const lock = new WriteLock(ledgerFile, LEDGER_SCHEMA, onStep)
    const names = this.#names
    const accounts = new Accounts({ jail, scan, lock, names, quotaBytes, maxNames, recountAfterMs, clock, onStep })
    return { jail, scan, accounts }
  }

  /** @returns undefined when there is no such folder. */
  async #scan(): Promise<FolderScan | undefined> {
    try {
      return (await this.#opened()).scan
    } catch (error) {
      if (error instanceof Refusal && error.code === 'file.unavailable') return undefined
      throw error
    }
  }

  async #use<T>(path: string, use: (file: OpenedFile) => T): Promise<T> {
    const { jail } = await this.#opened()
    const file = await openDocument(jail, path, this.#names)
    try {
      return use(file)
    } finally {
      file.close()
    }
  }
}

/** A document in a listing: its handle while it is the last one listed, its path from then on. */
class Entry implements CorpusEntry {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly #corpus: Corpus
  readonly #limit: ReadLimit
  #file: ScannedFile | undefined

  constructor(file: ScannedFile, corpus: Corpus, limit: ReadLimit) {
    this.path = file.path
    this.size = file.size
    this.modifiedMs = file.modifiedMs
    this.#corpus = corpus
    this.#limit = limit
    this.#file = file
  }

  read(): Uint8Array | Promise<Uint8Array> {
    return this.#file?.bytes(this.#limit) ?? this.#corpus.read(this.path).then(({ bytes }) => bytes)
  }

  leave(): void {
    this.#file = undefined
  }
}

const statOf = ({ names, size, modifiedMs }: OpenedFile): DocumentStat =>
  ({ path: names.join('/').normalize('NFC'), size, modifiedMs })

/** Opens nothing before the first call. */
export const createJailedCorpus = (options: JailedCorpusOptions): OpenCorpus => new JailedCorpus(options)
