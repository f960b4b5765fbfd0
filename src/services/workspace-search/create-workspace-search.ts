/** The `WorkspaceSearch` port over the code index: asked first, and the files of its hits read for the lines that are shown. */

import { setTimeout as pause } from 'node:timers/promises'
import { access, read } from '../../kernel/access.ts'
import type { CodeHit } from '../../kernel/ports/code-index.ts'
import type { Repo, RepoAsker } from '../../kernel/ports/repo.ts'
import type { WorkspaceFound, WorkspaceHit, WorkspaceQuery, WorkspaceSearch } from '../../kernel/ports/workspace.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { excerptOf } from './excerpt.ts'
import { IndexKeeper } from './index-keeper.ts'
import type { KeeperParts } from './index-keeper.ts'
import { createKeptTexts } from './kept-texts.ts'

export interface WorkspaceSearchOptions extends KeeperParts {
  readonly repo: Pick<Repo, 'read' | 'search' | 'linkedFolder'>
  /** Whether a file is shown to nobody, whatever the index holds. */
  hides(path: string): boolean
  /** Hears how many files a question would have led to, had they not been hidden. */
  onWithheld(files: number): void
}

export interface OpenWorkspaceSearch extends WorkspaceSearch {
  /** Begins to fill the index. */
  begin(): void
  /** Hears that something in the tree changed. */
  noteChange(): void
  close(): Promise<void>
}

/** How long a question waits for the look that it set off, and for the first one of all. */
const [LOOK_MS, FIRST_LOOK_MS] = [1_000, 50]
/** Hits looked at beyond those wanted, for the ones that are gone from their files. */
const SPARE = 4

export function createWorkspaceSearch(options: WorkspaceSearchOptions): OpenWorkspaceSearch {
  const { index, repo, hides, onWithheld } = options
  const [keeper, texts] = [new IndexKeeper(options), createKeptTexts()]

  const linesOf = async ({ path, contentHash }: CodeHit, asker: RepoAsker): Promise<readonly string[] | undefined> =>
    texts.lines(path, contentHash, async () => {
      try {
        return (await repo.read(path, { start: 1, end: Number.MAX_SAFE_INTEGER }, asker)).text
      } catch (error) {
        // Gone or not to be shown any more: there is no hit, and the next question looks at the tree again.
        if (error instanceof Refusal) return undefined
        throw error
      }
    })

  const ask = async ({ text, kinds, limit, detail }: WorkspaceQuery, prefix: string, asker: RepoAsker): Promise<readonly WorkspaceHit[]> => {
    let withheld = 0
    const may = (path: string): boolean | Promise<boolean> => {
      if (!hides(path)) return asker.may(read('repo_file', path))
      withheld += 1
      return false
    }
    const { hits } = await index().search(text, { limit: limit + SPARE, may, pathPrefix: prefix, signal: asker.signal, ...(kinds && { kinds }) })
    if (withheld > 0) onWithheld(withheld)
    const shown: WorkspaceHit[] = []
    for (const hit of hits) {
      const lines = await linesOf(hit, asker)
      const excerpt = lines && excerptOf(hit, lines, detail)
      if (!excerpt) keeper.noteChange()
      else if (shown.push(excerpt) > limit) break
    }
    return shown
  }

  /** While nothing is indexed yet: where the longest word of the question stands, by looking. Addresses and no text. */
  const linesWith = async ({ text, limit }: WorkspaceQuery, prefix: string, asker: RepoAsker): Promise<readonly WorkspaceHit[]> => {
    const words = text.match(/[\p{L}\p{N}_$]{3,}/gu) ?? []
    const word = words.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
    if (word === '') return []
    const may: RepoAsker['may'] = (one) => (one.kind === 'repo_file' && hides(one.id) ? false : asker.may(one))
    const { matches } = await repo.search({ query: word, regex: false, prefix }, { may, signal: asker.signal })
    const below = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
    const inside = matches.filter(({ path }) => path === prefix || path.startsWith(below))
    return inside.slice(0, limit + 1).map(({ path, line }) => ({ path, line, kind: 'line', name: '', text: '' }))
  }

  /** A link in the path stands for the file or the folder that it leads to; where it leads outside there is nothing. */
  const placeOf = async (path: string, asker: RepoAsker): Promise<string> => {
    if (path === '' || hides(path)) return path
    try {
      return (await repo.read(path, { start: 1, end: 1 }, asker)).path
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    const folder = await repo.linkedFolder(path, asker)
    return folder === undefined || hides(folder) ? path : folder
  }

  const withIndex = (path: string, hits: readonly WorkspaceHit[], limit: number): WorkspaceFound => ({
    path, hits: hits.slice(0, limit), more: hits.length > limit, index: { state: keeper.state, asOfMs: index().freshness().updatedAtMs },
  })

  const answer = async (query: WorkspaceQuery, asker: RepoAsker): Promise<WorkspaceFound> => {
    const path = query.path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '').normalize('NFC')
    const prefix = await placeOf(path === '.' ? '' : path, asker)
    if (!(await asker.may(access('search', 'repo_prefix', prefix)))) throw refusal('access.denied')
    const hits = await ask(query, prefix, asker)
    const isEarly = hits.length === 0 && keeper.state === 'building' && query.kinds === undefined
    return withIndex(prefix, isEarly ? await linesWith(query, prefix, asker) : hits, query.limit)
  }

  return {
    begin: () => keeper.begin(),
    noteChange: keeper.noteChange,
    async search(query, asker) {
      const isFirst = keeper.isWaiting
      const look = isFirst ? undefined : keeper.refresh()
      if (look) await within(look, keeper.hasLooked ? LOOK_MS : FIRST_LOOK_MS, asker.signal)
      const found = keeper.before(() => answer(query, asker))
      if (isFirst) void found.then(() => keeper.refresh(), () => keeper.refresh())
      return found
    },
    close: () => keeper.close(),
  }
}

/** Waits for the work, at most so long. @throws Refusal that the signal carries. */
async function within(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const late = new AbortController()
  try {
    await Promise.race([work, pause(ms, undefined, { signal: AbortSignal.any([signal, late.signal]), ref: false })])
  } catch (error) {
    if (!signal.aborted) throw error
    throw signal.reason instanceof Refusal ? signal.reason : refusal('call.cancelled')
  } finally {
    late.abort()
  }
}
