/** Ranks declarations of the source tree by the code index, which is brought up to date before it is asked. */

import type { Clock } from '../kernel/clock.ts'
import type { CodeChunk, CodeIndex, CodeSource } from '../kernel/ports/code-index.ts'
import type { Repo, RepoFile, RepoWalk } from '../kernel/ports/repo.ts'
import type { Ranker } from '../kernel/ports/sources.ts'
import type { Declaration, Symbols } from '../kernel/ports/symbols.ts'

export interface CodeRankerOptions {
  readonly repo: Pick<Repo, 'walk'>
  readonly symbols: Symbols
  /** Opened by the first question. */
  readonly index: () => CodeIndex
  readonly clock: Pick<Clock, 'ticks'>
  /** Files of the tree that are indexed. */
  readonly maxFiles: number
}

/** How long the index is good without a look at the tree. */
const FRESH_MS = 10_000

export function createCodeRanker({ repo, symbols, index, clock, maxFiles }: CodeRankerOptions): Ranker {
  let refreshed: { readonly done: Promise<unknown>; readonly sinceTicks: number } | undefined

  const refresh = (signal: AbortSignal): Promise<unknown> => {
    if (refreshed && clock.ticks() - refreshed.sinceTicks < FRESH_MS) return refreshed.done
    const done = index().update(codeSources(repo.walk('', { may: () => true, signal }, maxFiles), symbols, signal), { signal })
    refreshed = { done, sinceTicks: clock.ticks() }
    // One that was stopped is not believed: the next question goes on where it was.
    done.catch(() => void (refreshed = undefined))
    return done
  }

  return {
    async rank(query, { may, signal, limit }) {
      await refresh(signal)
      const { hits, freshness } = await index().search(query, { limit: Math.min(limit, 200), signal, may: (identifier) => may({ kind: 'repo_file', identifier }) })
      return {
        passages: hits.map(({ path: identifier, startLine, endLine }) => ({ kind: 'repo_file', identifier, startLine, endLine })),
        isPartial: !freshness.complete,
      }
    },
  }
}

/** The files of one walk as the index takes them. The index asks for each file whether its caller may see it; it is filled for all of them. */
export async function* codeSources(walk: RepoWalk, symbols: Symbols, signal: AbortSignal): AsyncGenerator<CodeSource> {
  for await (const file of walk) {
    yield { path: file.path, contentHash: `${file.size}.${file.modifiedMs}`, chunks: () => chunksOf(file, symbols, signal) }
  }
}

async function chunksOf(file: RepoFile, symbols: Symbols, signal: AbortSignal): Promise<readonly CodeChunk[]> {
  const text = file.text()
  if (text === undefined) return []
  const language = symbols.languageOf(file.path)
  const { declarations } = language ? await symbols.declarationsOf(text, language, signal) : { declarations: [] }
  const lines = text.split('\n')
  if (declarations.length === 0) return [{ name: '', kind: 'file', container: '', signature: '', doc: '', body: text, startLine: 1, endLine: lines.length }]
  return declarations.map((declaration) => chunkOf(declaration, lines))
}

const chunkOf = ({ name, kind, container, signature, doc, startLine, endLine }: Declaration, lines: readonly string[]): CodeChunk =>
  ({ name, kind, container, signature, doc, body: lines.slice(startLine, endLine).join('\n'), startLine, endLine })
