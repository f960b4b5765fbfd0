/**
 * The `Corpus` port over an S3-compatible service, for many replicas at once. A document is one object under its own
 * path. What is read is whole and of one version, and what was read before is asked for again only by its ETag.
 */

import type { OperatorClient } from '../../exits/net/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CorpusDocument, CorpusEntry, CorpusUsage, DocumentStat, ListOptions, OpenCorpus, WriteMode, Written } from '../../kernel/ports/corpus.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { createDocumentCache } from './document-cache.ts'
import type { CachedDocument, DocumentCache } from './document-cache.ts'
import { checkWritable, documentNames, documentPath, isDocument } from './document-path.ts'
import type { DocumentNames } from './document-path.ts'
import { sha256Of } from './opened-document.ts'
import { createS3Objects } from './s3-objects.ts'
import type { S3Entry, S3Objects } from './s3-objects.ts'
import { createS3Requests } from './s3-requests.ts'
import type { S3Place } from './s3-requests.ts'
import { createS3Writes } from './s3-writes.ts'
import type { S3Writes } from './s3-writes.ts'
import { checkGoingOn } from './write-lock.ts'

export interface S3CorpusOptions extends S3Place {
  /** Opened by the first request. */
  readonly client: () => Promise<OperatorClient>
  /** Names of a path, or the Refusal for one that no document has. */
  readonly parsePath: (path: string) => readonly string[] | Refusal
  readonly holdsCredentials: (names: readonly string[]) => boolean
  /** With their dots; compared without case. An empty list allows no document. */
  readonly extensions: readonly string[]
  readonly maxDocumentBytes: number
  /** `maxDocumentBytes` unless set. */
  readonly maxWriteBytes?: number
  readonly quotaBytes: number
  /** Bytes of documents kept in memory. */
  readonly cacheBytes: number
  readonly clock: Pick<Clock, 'now'>
  /** Names looked at by one listing or count; a million by default. */
  readonly maxNames?: number
}

const MAX_NAMES = 1_000_000

/** Opens nothing before the first call. */
export const createS3Corpus = (options: S3CorpusOptions): OpenCorpus => new S3Corpus(options)

class S3Corpus implements OpenCorpus {
  readonly #options: S3CorpusOptions
  readonly #names: DocumentNames
  readonly #objects: S3Objects
  readonly #cache: DocumentCache
  readonly #writes: S3Writes
  #isClosed = false

  constructor(options: S3CorpusOptions) {
    this.#options = options
    this.#names = documentNames(options.extensions)
    this.#objects = createS3Objects(createS3Requests(options.client, options))
    this.#cache = createDocumentCache(options.cacheBytes)
    this.#writes = createS3Writes({ objects: this.#objects, clock: options.clock, quotaBytes: options.quotaBytes, rule: this.#names.extensions.join(' '), sizes: () => this.#entries('') })
  }

  async read(path: string): Promise<CorpusDocument> {
    const key = this.#keyOf(path)
    const { size, modifiedMs, bytes, sha256 } = await this.#document(key)
    return { path: key, size, modifiedMs, bytes, sha256 }
  }

  async stat(path: string): Promise<DocumentStat> {
    const key = this.#keyOf(path)
    const head = await this.#objects.head(key)
    if (head === undefined) throw refusal('file.unavailable', undefined, 'missing')
    return { path: key, size: head.size, modifiedMs: head.modifiedMs }
  }

  async *list(prefix: string, { maxEntries = Number.POSITIVE_INFINITY }: ListOptions = {}): AsyncGenerator<CorpusEntry> {
    const start = this.#prefixOf(prefix)
    if (this.#isClosed || !(maxEntries > 0)) return
    let listed = 0
    for await (const { key, size, modifiedMs, etag } of this.#entries(start)) {
      yield { path: key, size, modifiedMs, read: () => this.#listed(key, size, etag) }
      listed += 1
      if (listed >= maxEntries) return
    }
  }

  async write(path: string, bytes: Uint8Array, mode: WriteMode): Promise<Written> {
    const names = this.#judged(path)
    checkWritable(path, this.#names)
    const { maxDocumentBytes, maxWriteBytes = maxDocumentBytes } = this.#options
    if (!(bytes.length <= Math.min(maxDocumentBytes, maxWriteBytes))) throw refusal('file.too-large')
    checkGoingOn(mode.signal)
    const key = names.join('/')
    try {
      const replaced = await this.#writes.write({ key, bytes, mode, seen: () => this.#seen(key, mode) })
      return { path: key, size: bytes.length, replaced }
    } finally {
      this.#cache.drop(key)
    }
  }

  async usage(): Promise<CorpusUsage> {
    this.#checkOpen()
    return { usedBytes: await this.#writes.used(), quotaBytes: this.#options.quotaBytes }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  /** What stands at a path before it is written. @throws Refusal `file.exists`, `file.changed`. */
  async #seen(key: string, { overwrite, ifSha256 }: WriteMode): Promise<{ readonly etag: string; readonly size: number } | undefined> {
    if (ifSha256 !== undefined) {
      const found = await this.#document(key).catch((error: unknown) => {
        throw error instanceof Refusal && error.code !== 'corpus.unavailable' ? refusal('file.changed') : error
      })
      if (found.sha256 !== ifSha256) throw refusal('file.changed')
      if (!overwrite) throw refusal('file.exists')
      return found
    }
    const found = await this.#objects.head(key)
    if (found !== undefined && !overwrite) throw refusal('file.exists')
    return found
  }

  #checkOpen(): void {
    if (this.#isClosed) throw refusal('file.unavailable', undefined, 'root')
  }

  #judged(path: string): readonly string[] {
    const names = this.#options.parsePath(path)
    if (names instanceof Refusal) throw names
    if (this.#options.holdsCredentials(names)) throw refusal('file.credential')
    this.#checkOpen()
    return names
  }

  #keyOf(path: string): string {
    const names = this.#judged(path)
    if (!isDocument(path, this.#names)) throw refusal('file.unavailable', undefined, 'kind')
    return names.join('/')
  }

  /** The spelling that counts. A prefix may end in the middle of a name, or with its folder's slash. */
  #prefixOf(prefix: string): string {
    if (prefix === '') return ''
    const names = this.#options.parsePath(prefix)
    if (names instanceof Refusal) throw names
    const plain = documentPath(prefix)
    return prefix.endsWith('/') && plain !== '' ? `${plain}/` : plain
  }

  async #document(key: string): Promise<CachedDocument> {
    const { maxDocumentBytes: maxBytes } = this.#options
    const cached = this.#cache.get(key)
    const found = await this.#objects.get(key, { maxBytes, etag: cached?.etag })
    if (found === 'unchanged' && cached !== undefined) return cached.bytes.length <= maxBytes ? cached : tooLarge()
    if (found === undefined || found === 'unchanged') {
      this.#cache.drop(key)
      throw refusal('file.unavailable', undefined, 'missing')
    }
    const document = { ...found, sha256: sha256Of(found.bytes) }
    this.#cache.put(key, document)
    return document
  }

  #listed(key: string, size: number, etag: string): Uint8Array | Promise<Uint8Array> {
    if (size > this.#options.maxDocumentBytes) return tooLarge()
    const cached = this.#cache.get(key)
    return cached?.etag === etag ? cached.bytes : this.#document(key).then(({ bytes }) => bytes)
  }

  /** Objects that are documents: under the one spelling that counts, with an allowed name, without credentials. */
  async *#entries(prefix: string): AsyncGenerator<S3Entry> {
    const { maxNames = MAX_NAMES, parsePath, holdsCredentials } = this.#options
    let seen = 0
    for await (const entry of this.#objects.list(prefix)) {
      seen += 1
      if (seen > maxNames) throw refusal('file.too-large')
      if (!isDocument(entry.key, this.#names)) continue
      const names = parsePath(entry.key)
      if (names instanceof Refusal || names.join('/') !== entry.key || holdsCredentials(names)) continue
      yield entry
    }
  }
}

const tooLarge = (): never => {
  throw refusal('file.too-large')
}
