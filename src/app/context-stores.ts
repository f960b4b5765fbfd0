/** What packed context is made of: documents by their full text, source files by the code index where one can be kept. */

import { join } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { CodeIndex } from '../kernel/ports/code-index.ts'
import type { ContentPort } from '../kernel/ports/content.ts'
import type { Corpus } from '../kernel/ports/corpus.ts'
import type { Repo } from '../kernel/ports/repo.ts'
import type { Ranker } from '../kernel/ports/sources.ts'
import type { Symbols } from '../kernel/ports/symbols.ts'
import { refusal } from '../kernel/refusal.ts'
import { holdsCredentials } from '../policy/credential-paths.ts'
import type { SourceStore } from '../services/sources/index.ts'
import type { ContextStores } from './context.ts'
import { treeName } from './tree-name.ts'

export interface ContextParts {
  readonly corpus: Corpus
  readonly content: ContentPort
  readonly repo: Repo
  readonly symbols: Symbols
  readonly clock: Clock
  /** Folder for the index; undefined where the app has none. */
  readonly dataDir: string | undefined
  onFault(error: unknown): void
}

export function contextStores(settings: Settings, parts: ContextParts): ContextStores & { close(): Promise<void> } {
  const { dataDir } = parts
  const ranker = dataDir === undefined ? undefined : lazyRanker(settings, parts, join(dataDir, 'code-index'))
  return {
    stores: { doc: documents(parts), repo_file: sourceFiles(parts, settings.repoSearchMaxFiles) },
    rankers: ranker ? [ranker] : [],
    indexed: ranker ? ['repo_file'] : [],
    close: async () => ranker?.close(),
  }
}

/** The index and what ranks by it are loaded by the first question. */
function lazyRanker(settings: Settings, { repo, symbols, clock, onFault }: ContextParts, folder: string): Ranker & { close(): Promise<void> } {
  let opened: Promise<Ranker & { close(): Promise<void> }> | undefined
  const load = async (): Promise<Ranker & { close(): Promise<void> }> => {
    const [{ createCodeRanker }, { createCodeIndex }] = await Promise.all([import('./code-ranker.ts'), import('../services/code-index/index.ts')])
    let index: CodeIndex | undefined
    const ranker = createCodeRanker({
      repo, symbols, clock, onFault, maxFiles: settings.repoSearchMaxFiles,
      index: () => (index ??= createCodeIndex({ file: join(folder, `${treeName(settings.repoRoot)}.sqlite`), clock, holdsCredentials })),
    })
    return {
      ...ranker,
      async close() {
        await ranker.close()
        index?.close()
      },
    }
  }
  return {
    rank: async (query, asking) => (await (opened ??= load())).rank(query, asking),
    close: async () => (await opened)?.close(),
  }
}

const documents = ({ corpus, content }: ContextParts): SourceStore => ({
  async *list() {
    for await (const { path } of corpus.list('')) yield path
  },
  text: async (identifier) => content.decode((await corpus.read(identifier)).bytes),
})

/** Reads by walking: a walk follows no link, so what is read is the file that was authorised. */
const sourceFiles = ({ repo }: ContextParts, maxFiles: number): SourceStore => ({
  async *list(signal) {
    // How many are read is the search's to limit: it knows which of them its caller may see, and only those may count.
    for await (const { path } of repo.walk('', { may: () => true, signal }, Number.POSITIVE_INFINITY)) yield path
  },
  async text(identifier, signal) {
    for await (const file of repo.walk(identifier, { may: ({ id }) => id === identifier, signal }, maxFiles)) {
      const text = file.path === identifier ? file.text() : undefined
      if (text !== undefined) return text
    }
    throw refusal('file.unavailable')
  },
})
