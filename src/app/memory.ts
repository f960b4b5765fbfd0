/** Opens what callers leave behind. The store itself is loaded by the first call and not by the start. */

import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Embedder } from '../kernel/ports/embedding.ts'
import type { KeyValues, Memories } from '../kernel/ports/memory.ts'
import type { Store } from '../kernel/ports/store.ts'
import type { MemoryLimits, OpenMemory } from '../services/memory/index.ts'

const limitsOf = (settings: Settings): MemoryLimits => ({
  maxContentBytes: settings.memoryMaxContentBytes,
  maxMetadataBytes: settings.memoryMaxMetadataBytes,
  maxEntriesPerNamespace: settings.memoryMaxEntriesPerNamespace,
  maxNamespaces: settings.memoryMaxNamespaces,
  quotaBytes: settings.memoryQuotaBytes,
  maxK: settings.memoryMaxK,
  maxKeys: settings.kvMaxKeys,
  maxValueBytes: settings.kvMaxValueBytes,
  maxTtlSeconds: settings.kvMaxTtlSeconds,
})

export interface MemoryParts {
  readonly clock: Clock
  /** The server that keeps memories instead of the folder. */
  readonly store?: Store | undefined
  /** Finds memories on a server by their meaning, where it has a notion of one. */
  readonly embedder?: Embedder | undefined
}

export function lazyMemory(settings: Settings, { clock, store, embedder }: MemoryParts): OpenMemory {
  let opened: Promise<OpenMemory> | undefined
  const load = async (): Promise<OpenMemory> => {
    const { createMemory, createServerMemory } = await import('../services/memory/index.ts')
    if (store) return createServerMemory(store, limitsOf(settings), { clock, embedder })
    return createMemory(settings.memoryRoot, limitsOf(settings), clock)
  }
  const open = (): Promise<OpenMemory> => (opened ??= load())
  const memories: Memories = {
    store: async (owner, draft) => (await open()).memories.store(owner, draft),
    search: async (owner, query) => (await open()).memories.search(owner, query),
    list: async (owner, namespace) => (await open()).memories.list(owner, namespace),
    remove: async (owner, namespace, id) => (await open()).memories.remove(owner, namespace, id),
  }
  const keyValues: KeyValues = {
    set: async (owner, entry) => (await open()).keyValues.set(owner, entry),
    get: async (owner, key) => (await open()).keyValues.get(owner, key),
    remove: async (owner, key) => (await open()).keyValues.remove(owner, key),
  }
  return { memories, keyValues, close: async () => (await opened)?.close() }
}
