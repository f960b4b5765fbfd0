/** Ranks declarations of the source tree by the code index, which is looked after while it is asked. */

import { setTimeout as pause } from 'node:timers/promises'
import type { CodeChunk, CodeIndex, CodeSource } from '../kernel/ports/code-index.ts'
import type { Repo, RepoFile, RepoWalk } from '../kernel/ports/repo.ts'
import type { Ranker } from '../kernel/ports/sources.ts'
import type { Declaration, Symbols } from '../kernel/ports/symbols.ts'
import { IndexKeeper, type KeeperParts } from '../services/workspace-search/index.ts'

export interface CodeRankerOptions extends Pick<KeeperParts, 'clock' | 'onFault'> {
  readonly repo: Pick<Repo, 'walk'>
  readonly symbols: Symbols
  /** Opened by the first question. */
  readonly index: () => CodeIndex
  /** Files of the tree that are indexed. */
  readonly maxFiles: number
}

export interface CodeRanker extends Ranker {
  close(): Promise<void>
}

/** How long the index is good without a look at the tree. */
const FRESH_MS = 10_000
/** How long a question waits for a look: where there is an index already, and where there is none yet. */
const [LOOK_MS, FIRST_LOOK_MS] = [150, 10_000]
/** How often the bodies of a file's declarations may hold its text. They lie in each other, and each is read by itself; honest code comes to four or so. */
const MAX_HELD = 8

export function createCodeRanker({ repo, symbols, index, clock, maxFiles, onFault }: CodeRankerOptions): CodeRanker {
  const keeper = new IndexKeeper({
    index, clock, onFault, freshMs: FRESH_MS, afterFaultMs: FRESH_MS,
    look: (signal) => {
      const walk = repo.walk('', { may: () => true, signal }, maxFiles)
      return { sources: codeSources(walk, symbols, signal), isCut: () => walk.stamp().truncated !== undefined }
    },
  })
  /** The first question alone waits for the first look for long: where that takes minutes, the others say so at once. */
  let isAwaited = false
  const waited = async (look: Promise<void>, signal: AbortSignal): Promise<boolean> => {
    if (isAwaited || index().freshness().updatedAtMs !== null) return endsWithin(look, LOOK_MS, signal)
    isAwaited = true
    return endsWithin(look, FIRST_LOOK_MS, signal)
  }
  return {
    async rank(query, { may, signal, limit }) {
      const look = keeper.refresh()
      const isUpdating = look !== undefined && !(await waited(look, signal))
      const { hits, freshness } = await keeper.before(() => index().search(query, { limit: Math.min(limit, 200), signal, may: (identifier) => may({ kind: 'repo_file', identifier }) }))
      const isComplete = freshness.complete && keeper.state === 'complete'
      return {
        passages: hits.map(({ path: identifier, startLine, endLine }) => ({ kind: 'repo_file', identifier, startLine, endLine })),
        isPartial: !isComplete,
        index: { asOfMs: freshness.updatedAtMs, isComplete, isUpdating },
      }
    },
    close: () => keeper.close(),
  }
}

/** Whether the work ends in so many milliseconds. @throws the reason of the signal. */
async function endsWithin(work: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const late = new AbortController()
  try {
    return await Promise.race([work.then(() => true), pause(ms, false, { signal: AbortSignal.any([signal, late.signal]), ref: false })])
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    late.abort()
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
  const starts = lineStarts(text)
  if (declarations.length === 0) return [{ name: '', kind: 'file', container: '', signature: '', doc: '', body: text, startLine: 1, endLine: starts.length }]
  let left = text.length * MAX_HELD
  return declarations.map((declaration) => {
    const whole = bodyOf(declaration, text, starts)
    const body = whole.length <= left ? whole : ''
    left -= body.length
    return chunkOf(declaration, body)
  })
}

/** What stands behind the first line of a declaration, up to the end of its last. */
const bodyOf = ({ startLine, endLine }: Declaration, text: string, starts: readonly number[]): string =>
  text.slice(starts[startLine] ?? text.length, Math.max(0, (starts[endLine] ?? text.length + 1) - 1))

/** Where each line begins. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const chunkOf = ({ name, kind, container, signature, doc, startLine, endLine }: Declaration, body: string): CodeChunk =>
  ({ name, kind, container, signature, doc, body, startLine, endLine })
