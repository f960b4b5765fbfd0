/** The `Sources` port over the stores that a deployment has, and the ways of searching that go with them. */

import type { RankOptions, Ranker, Ranking, SourceKind, SourceReader, Sources } from '../../kernel/ports/sources.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { prepare } from './prepare.ts'
import type { PreparePorts } from './prepare.ts'

export interface SourcesOptions {
  readonly readers: Partial<Readonly<Record<SourceKind, SourceReader>>>
  readonly rankers: readonly Ranker[]
  /** Loaded by the first text that is read. */
  readonly prepare: () => Promise<PreparePorts>
}

export function createSources({ readers, rankers, prepare: load }: SourcesOptions): Sources {
  return {
    async read({ kind, identifier }, signal) {
      const reader = readers[kind]
      if (reader === undefined) throw refusal('file.unavailable')
      const text = await reader.text(identifier, signal)
      return prepare(text, await load())
    },
    search: (query, options) => Promise.all(rankers.map((ranker) => ranking(ranker, query, options))),
  }
}

/** One way of searching that is refused, such as by a missing index, leaves the others standing. */
async function ranking(ranker: Ranker, query: string, options: RankOptions): Promise<Ranking> {
  try {
    return await ranker.rank(query, options)
  } catch (error) {
    if (error instanceof Refusal && !options.signal.aborted) return { passages: [], isPartial: true }
    throw error
  }
}
