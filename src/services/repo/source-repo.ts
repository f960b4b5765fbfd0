/** The `Repo` port over one jailed, read-only source tree. */

import { createHash } from 'node:crypto'
import { access, read } from '../../kernel/access.ts'
import type { Repo, RepoAsker, RepoImports, RepoQuery, RepoSearch, RepoSymbols, RepoText, RepoWalk } from '../../kernel/ports/repo.ts'
import type { Symbols } from '../../kernel/ports/symbols.ts'
import { refusal } from '../../kernel/refusal.ts'
import { cleanMatcher } from './clean-matcher.ts'
import { cleanSource, type FindSecrets } from './clean-source.ts'
import { cutLines } from './cut-lines.ts'
import { mapImports, type ImportReader } from './map-imports.ts'
import { mapSymbols } from './map-symbols.ts'
import type { SearchLimits, Searcher } from './searcher.ts'
import { sourceText, unfit } from './source-text.ts'
import { Tree, type TreeOptions } from './tree.ts'
import { Walk, type WalkedFile } from './walk.ts'

export interface RepoLimits {
  /** UTF-8 bytes of one answer, its structure included. */
  readonly maxAnswerBytes: number
  readonly search: Omit<SearchLimits, 'maxFileBytes'>
  /** For searches by expression. */
  readonly regexTimeoutMs: number
  readonly symbolFiles: number
  readonly symbols: number
  readonly importFiles: number
}

export interface RepoOptions {
  readonly tree: TreeOptions
  readonly limits: RepoLimits
  readonly searcher: Searcher
  readonly symbols: Symbols
  readonly imports: () => Promise<ImportReader>
  readonly secrets: () => Promise<FindSecrets>
}

/** Holds handles and a worker until it is closed. */
export interface OpenRepo extends Repo {
  close(): Promise<void>
}

class SourceRepo implements OpenRepo {
  readonly #options: RepoOptions
  readonly #tree: Tree

  constructor(options: RepoOptions) {
    this.#options = options
    this.#tree = new Tree(options.tree)
  }

  async read(path: string, { start, end }: { readonly start: number; readonly end: number }, asker: RepoAsker): Promise<RepoText> {
    const { tree, limits, secrets } = this.#options
    const file = await this.#tree.open(path, asker)
    try {
      const bytes = file.bytes({ maxBytes: tree.maxFileBytes })
      const why = unfit(bytes)
      if (why !== undefined) throw refusal('file.unavailable', 'only UTF-8 text is read', why)
      const { text, count } = cleanSource(sourceText(bytes), await secrets())
      const state = createHash('sha256').update(bytes).digest('hex')
      return { path: file.path, size: bytes.length, state, redacted: count, ...cutLines(text, { start, end, maxBytes: limits.maxAnswerBytes }) }
    } finally {
      file.close()
    }
  }

  async linkedFolder(path: string, { may }: RepoAsker): Promise<string | undefined> {
    const target = await this.#tree.target(path)
    if (!target?.endsWith('/')) return undefined
    const folder = target.slice(0, -1)
    return (await may(read('repo_file', folder))) ? folder : undefined
  }

  async search({ query, regex, prefix }: RepoQuery, asker: RepoAsker): Promise<RepoSearch> {
    const { limits, searcher, secrets } = this.#options
    const [plain, find] = [await searcher.matcher(query, regex), await secrets()]
    const walk = await this.#walk(prefix, asker, limits.search.maxFiles)
    const { matches, truncated, linesCut } = await searcher.search(textsOf(walk), cleanMatcher(plain, find), {
      // Files are counted and left out by the walk.
      limits: { ...limits.search, maxFiles: Number.POSITIVE_INFINITY, maxFileBytes: Number.POSITIVE_INFINITY, ...(regex && { timeoutMs: limits.regexTimeoutMs }) },
      signal: asker.signal,
      onProgress: ({ filesSeen }) => asker.progress?.(filesSeen),
    })
    return { ...walk.stamp(truncated), matches: matches.map(({ path, line, snippet }) => ({ path, line, snippet })), linesCut }
  }

  async symbols(prefix: string, asker: RepoAsker): Promise<RepoSymbols> {
    const { limits, symbols } = this.#options
    const walk = await this.#walk(prefix, asker, limits.symbolFiles)
    return mapSymbols(walk, symbols, { maxSymbols: limits.symbols, maxAnswerBytes: limits.maxAnswerBytes, signal: asker.signal })
  }

  async imports(prefix: string, asker: RepoAsker): Promise<RepoImports> {
    const { limits, imports } = this.#options
    const walk = await this.#walk(prefix, asker, limits.importFiles)
    return mapImports(walk, await imports(), { asker, tree: this.#tree, maxAnswerBytes: limits.maxAnswerBytes })
  }

  walk(prefix: string, asker: RepoAsker, maxFiles: number): RepoWalk {
    return new Walk(this.#tree, { prefix, asker, maxFiles })
  }

  async close(): Promise<void> {
    await this.#tree.close()
    await this.#options.symbols.close()
  }

  /** A prefix that is a link stands for where it leads, if the asker may search there too. */
  async #walk(prefix: string, asker: RepoAsker, maxFiles: number): Promise<Walk> {
    const target = await this.#tree.target(prefix)
    if (target !== undefined && !(await asker.may(access('search', 'repo_prefix', target)))) throw refusal('access.denied')
    return new Walk(this.#tree, { prefix: target ?? prefix, asker, maxFiles })
  }
}

async function* textsOf(walk: Walk): AsyncGenerator<{ readonly path: string; readonly size: number; read(): Uint8Array }> {
  for await (const file of walk as AsyncIterable<WalkedFile>) {
    yield { path: file.path, size: file.size, read: () => file.bytes() ?? leftOut() }
  }
}

const leftOut = (): never => {
  throw refusal('file.unavailable')
}

/** Opens nothing before the first call. */
export const createRepo = (options: RepoOptions): OpenRepo => new SourceRepo(options)
