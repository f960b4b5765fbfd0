/** Opens what context is made of: working sets, token counts, and the sources that a deployment has. */

import { join } from 'node:path'
import { secretValues } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { openDatabase } from '../exits/disk/database.ts'
import type { Ranker, SourceKind, Sources } from '../kernel/ports/sources.ts'
import type { Store } from '../kernel/ports/store.ts'
import type { Tokens } from '../kernel/ports/tokens.ts'
import type { WorkingSets } from '../kernel/ports/working-sets.ts'
import { cleanText } from '../services/content/clean-text.ts'
import { createRedactor } from '../services/content/redactor.ts'
import { createFullText, createSources } from '../services/sources/index.ts'
import type { PreparePorts, SourceStore } from '../services/sources/index.ts'
import { createTokens } from '../services/tokens/index.ts'
import { createMemorySets, createServerSets, createSqliteSets } from '../services/working-sets/index.ts'
import type { AppOptions } from './ports.ts'

export interface OpenContext {
  readonly services: { readonly sources: Sources; readonly tokens: Tokens; readonly workingSets: WorkingSets }
  close(): Promise<void>
}

/** What a deployment can be searched by. A kind without a store is not served; one with an index needs no full text. */
export interface ContextStores {
  readonly stores?: Partial<Readonly<Record<SourceKind, SourceStore>>>
  /** Rankings beside the full text: declarations, vectors. */
  readonly rankers?: readonly Ranker[]
  /** Kinds whose full text a ranker of the list covers. */
  readonly indexed?: readonly SourceKind[]
  /** The server that keeps working sets instead of the data directory. */
  readonly store?: Store | undefined
}

/** Kept by all owners together, whatever one may keep. */
const [ALL_SETS, ALL_ITEMS] = [10_000, 200_000]
const SEARCHED_CHARS = 20_000_000

export function openContext(settings: Settings, { dataDir }: AppOptions, { stores = {}, rankers = [], indexed = [], store }: ContextStores = {}): OpenContext {
  const folder = dataDir ?? settings.dataDir
  const limits = { maxSets: settings.workingsetMaxSets, maxItems: settings.workingsetMaxItems, maxAllSets: ALL_SETS, maxAllItems: ALL_ITEMS }
  const kept = store !== undefined || folder === undefined ? undefined : createSqliteSets(() => openDatabase(join(folder, 'working-sets.sqlite')), limits)
  const maxFiles = { doc: settings.searchMaxFiles, repo_file: settings.repoSearchMaxFiles }
  const fullText = (Object.keys(maxFiles) as SourceKind[]).flatMap((kind) => {
    const store = indexed.includes(kind) ? undefined : stores[kind]
    return store === undefined ? [] : [createFullText({ kind, store, maxFiles: maxFiles[kind], maxChars: SEARCHED_CHARS })]
  })
  const sources = createSources({ readers: stores, rankers: [...fullText, ...rankers], prepare: () => preparation(settings) })
  return { services: { sources, tokens: createTokens(), workingSets: store ? createServerSets(store, limits) : (kept ?? createMemorySets(limits)) }, close: async () => kept?.close() }
}

/** The table of credential rules is loaded by the first source that is read. */
async function preparation(settings: Settings): Promise<PreparePorts> {
  const scanner = (await import('../services/secrets/index.ts')).createScanner()
  const lastLine = (text: string, end: number, { line, start }: { readonly line: number; readonly start: number }): number => line + (text.slice(start, end).match(/\n/g)?.length ?? 0)
  return {
    clean: cleanText,
    redact: createRedactor(secretValues(settings)) ?? ((text) => text),
    scan: (text) => scanner.scan(text).map((found) => ({ ...found, lastLine: lastLine(text, found.end, found) })),
  }
}
