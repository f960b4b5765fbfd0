/**
 * Brings one tenant's part of a collection in line with the documents: what is unchanged is neither embedded nor
 * written, what moved keeps its vector, what is gone goes. Each step is one transaction, so a run that ends early
 * leaves whole documents, and the next run goes on from there.
 */

import { createHash } from 'node:crypto'
import type { Embedder } from '../../kernel/ports/embedding.ts'
import type { IndexReport, IndexRun } from '../../kernel/ports/vectors.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { ChunkStore, KnownChunk, NewChunk, Place, Replacement } from './chunk-store.ts'
import { chunkDocument } from './chunking/index.ts'
import type { ChunkSizes } from './chunking/index.ts'

/** One document met while listing, by code point of its path. */
interface DocumentEntry {
  readonly path: string
  readonly modifiedMs: number
  read(): Uint8Array | Promise<Uint8Array>
}

/** The documents, as far as indexing needs them. */
export interface Documents {
  list(prefix: string): AsyncIterable<DocumentEntry>
  stat(path: string): Promise<{ readonly modifiedMs: number }>
}

export interface IndexLimits extends ChunkSizes {
  readonly maxFiles: number
  readonly maxChunks: number
  readonly timeoutMs: number
  readonly reuseUnchanged: boolean
}

export interface IndexDeps {
  readonly store: ChunkStore
  readonly embedder: Embedder
  readonly documents: Documents
  readonly limits: IndexLimits
  /** Milliseconds, rising. */
  readonly ticks: () => number
}

type Draft = Omit<NewChunk, 'vector'>

/** New chunks, and documents, that one transaction takes. */
const [STEP_CHUNKS, STEP_FILES] = [128, 100]
/** New chunks of one run from which its tenant's search index may be worth making anew. */
const LOOSEN_FROM = 200
/** After every path that starts with the prefix. */
const LAST = '\u{10ffff}'

export async function indexDocuments(deps: IndexDeps, given: IndexRun): Promise<IndexReport> {
  const run = { ...given, prefix: spelled(given.prefix) }
  await checkModel(deps, run)
  return new Indexing(deps, run).run()
}

/** As paths of documents are spelled, because chunks are found by the text of theirs. An absolute prefix stays one, and is refused. */
function spelled(prefix: string): string {
  const names = prefix.normalize('NFC').split('/').filter((name) => name !== '' && name !== '.').join('/')
  return `${prefix.startsWith('/') ? '/' : ''}${names}${names !== '' && /\/\.?$/.test(prefix) ? '/' : ''}`
}

/** @throws Refusal `data.reindex` when only a part is to be indexed with another model than the rest. */
async function checkModel({ store, embedder, limits }: IndexDeps, { prefix, ...place }: IndexRun): Promise<void> {
  const { model, dimensions } = await store.filling(place)
  if (dimensions !== undefined && dimensions !== embedder.dimensions) throw otherDimensions()
  if (model === undefined || (model === embedder.label && limits.reuseUnchanged)) return
  if (model !== embedder.label && prefix !== '') throw refusal('data.reindex', 'run doc_index once without path_prefix')
  if (prefix === '') await store.restart(place, embedder.label)
}

/** The operator's answer to a change of dimensions; what it throws away is made again from the documents. */
export const otherDimensions = (): Refusal => refusal('data.reindex', 'the operator runs `arrowhead data init --rebuild`, then doc_index fills the collection')

class Indexing {
  readonly #deps: IndexDeps
  readonly #run: IndexRun
  readonly #place: Place
  readonly #report = { filesIndexed: 0, chunksWritten: 0, chunksReused: 0, chunksRemoved: 0, truncated: false, limit: undefined as IndexReport['limit'] }
  #page: { path: string; modifiedMs: number; drafts: readonly Draft[] }[] = []
  #pageChunks = 0
  #planned = 0
  #mayLoosen = true
  #after = ''

  constructor(deps: IndexDeps, run: IndexRun) {
    this.#deps = deps
    this.#run = run
    this.#place = { collection: run.collection, tenant: run.tenant, signal: run.signal }
  }

  async run(): Promise<IndexReport> {
    try {
      await this.#all()
    } catch (error) {
      // What was written is searched, whatever happened then; that is what the caller must hear of. One who left waits for nothing.
      if (!this.#run.signal.aborted) await this.#settle().catch(() => {})
      throw error
    }
    await this.#settle()
    return this.#report
  }

  #settle(): Promise<void> {
    return this.#deps.store.settle(this.#place, this.#report.chunksWritten)
  }

  async #all(): Promise<void> {
    const { documents, limits, ticks } = this.#deps
    const started = ticks()
    let seen = 0
    const full = (): IndexReport['limit'] => (++seen > limits.maxFiles ? 'files' : this.#planned >= limits.maxChunks ? 'chunks' : undefined)
    let last = ''
    for await (const entry of documents.list(this.#run.prefix)) {
      this.#run.signal.throwIfAborted()
      // What the caller may not read takes time, and no place: it neither fills a limit nor tells that one is full.
      const isOpen = await this.#run.mayRead(entry.path)
      if (this.#cut((isOpen ? full() : undefined) ?? (ticks() - started > limits.timeoutMs ? 'time' : undefined))) break
      if (isOpen) await this.#take(entry)
      last = entry.path
      if (this.#page.length >= STEP_FILES || this.#pageChunks >= STEP_CHUNKS) await this.#step(entry.path)
    }
    if (!this.#report.truncated) await this.#step(this.#run.prefix + LAST)
    else if (last !== this.#after) await this.#step(last)
  }

  #cut(limit: IndexReport['limit']): boolean {
    if (limit === undefined) return false
    this.#report.truncated = true
    this.#report.limit ??= limit
    return true
  }

  async #take(entry: DocumentEntry): Promise<void> {
    const text = await textOf(entry)
    if (text === undefined) return
    const drafts = this.#draftsOf(entry, text)
    this.#report.filesIndexed += 1
    this.#planned += drafts.length
    this.#pageChunks += drafts.length
    this.#page.push({ path: entry.path, modifiedMs: Math.trunc(entry.modifiedMs), drafts })
  }

  #draftsOf({ path, modifiedMs }: DocumentEntry, text: string): readonly Draft[] {
    const { limits, embedder } = this.#deps
    const rest = Math.max(0, limits.maxChunks - this.#planned)
    const all = chunkDocument(path, text, limits)
    if (all.length > rest) this.#cut('chunks')
    return all.slice(0, rest).map(({ text: content, startLine, endLine }, chunkIndex) => ({
      id: digest(this.#place.tenant, path, String(chunkIndex)), source: path, chunkIndex, content, startLine, endLine, modifiedMs: Math.trunc(modifiedMs),
      hash: digest(embedder.label, content),
    }))
  }

  /** One transaction for the documents of the page, and for those that are gone between the page before and `upTo`. */
  async #step(upTo: string): Promise<void> {
    const page = this.#page
    this.#page = []
    this.#pageChunks = 0
    const known = await this.#deps.store.known(this.#place, { prefix: this.#run.prefix, after: this.#after, last: upTo })
    this.#after = upTo
    const plan = planOf(page, known, this.#deps.limits.reuseUnchanged)
    const vectors = await this.#embed(plan.fresh)
    const write = [...plan.moved, ...plan.fresh.map((draft, index) => ({ ...draft, vector: { numbers: vectors[index] ?? [] } }))]
    const written = this.#report.chunksWritten + plan.fresh.length
    if (this.#mayLoosen && written > LOOSEN_FROM) this.#mayLoosen = (await this.#deps.store.loosen(this.#place, written)) === 'kept'
    await this.#deps.store.replace(this.#place, this.#deps.embedder.label, { ...plan, write })
    this.#report.chunksWritten += plan.fresh.length
    this.#report.chunksReused += plan.reused
    this.#report.chunksRemoved += plan.removed
    this.#run.progress(this.#report.filesIndexed, undefined, `${this.#report.chunksWritten} chunks written, ${this.#report.chunksReused} unchanged`)
  }

  #embed(fresh: readonly Draft[]): Promise<readonly (readonly number[])[]> {
    const { embedder } = this.#deps
    const done = this.#report.filesIndexed
    if (fresh.length === 0) return Promise.resolve([])
    return embedder.embed(fresh.map(({ content }) => content), {
      signal: this.#run.signal,
      progress: (count, total) => this.#run.progress(done, undefined, `${count} of ${total} chunks embedded`),
    })
  }
}

interface Plan extends Omit<Replacement, 'write'> {
  readonly fresh: readonly Draft[]
  readonly moved: readonly NewChunk[]
  readonly reused: number
  readonly removed: number
}

function planOf(page: readonly { path: string; modifiedMs: number; drafts: readonly Draft[] }[], known: readonly KnownChunk[], reuse: boolean): Plan {
  const bySource = grouped(known)
  const [fresh, moved, keep, sources, touched]: [Draft[], NewChunk[], string[], string[], { source: string; modifiedMs: number }[]] = [[], [], [], [], []]
  let reused = 0
  for (const { path, modifiedMs, drafts } of page) {
    const old = bySource.get(path) ?? []
    bySource.delete(path)
    const byId = new Map(old.map((chunk) => [chunk.id, chunk]))
    const byHash = new Map(old.map((chunk) => [chunk.hash, chunk]))
    let changed = old.length > drafts.length
    for (const draft of drafts) {
      const [same, like] = [byId.get(draft.id), reuse ? byHash.get(draft.hash) : undefined]
      const inPlace = same?.hash === draft.hash && same.startLine === draft.startLine && same.endLine === draft.endLine
      if (like) reused += 1
      if (reuse && inPlace) continue
      changed = true
      if (like) moved.push({ ...draft, vector: { from: like.id } })
      else fresh.push(draft)
    }
    if (changed && old.length > 0) {
      sources.push(path)
      keep.push(...drafts.map(({ id }) => id))
    }
    if (old.some((chunk) => chunk.modifiedMs !== modifiedMs)) touched.push({ source: path, modifiedMs })
  }
  const kept = new Set(page.flatMap(({ drafts }) => drafts.map(({ id }) => id)))
  return { fresh, moved, keep, sources, touched, reused, gone: [...bySource.keys()], removed: known.filter(({ id }) => !kept.has(id)).length }
}

function grouped(known: readonly KnownChunk[]): Map<string, KnownChunk[]> {
  const groups = new Map<string, KnownChunk[]>()
  for (const chunk of known) {
    const group = groups.get(chunk.source)
    if (group) group.push(chunk)
    else groups.set(chunk.source, [chunk])
  }
  return groups
}

/** Undefined for a document that cannot be indexed: too large, gone meanwhile, or no text. */
async function textOf(entry: DocumentEntry): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await entry.read())
    // Postgres has no U+0000 in text.
    return text.replaceAll('\0', '\ufffd')
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Refusal && error.code.startsWith('file.'))) return undefined
    throw error
  }
}

const digest = (...parts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest('hex')
}
