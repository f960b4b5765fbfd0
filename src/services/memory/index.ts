/** Memories and key-values: embedded, in one SQLite database an owner below a jailed folder, or on a server. */

import type { Clock } from '../../kernel/clock.ts'
import type { KeyValues, Memories } from '../../kernel/ports/memory.ts'
import { createKeyValues } from './key-values.ts'
import type { MemoryLimits } from './limits.ts'
import { createMemories } from './memories.ts'
import { Owners } from './owners.ts'
import { createServerMemories } from './server-memories.ts'
import { createServerValues } from './server-values.ts'
import type { Store } from '../../kernel/ports/store.ts'
import type { Embedder } from '../../kernel/ports/embedding.ts'

export type { MemoryLimits } from './limits.ts'

export interface OpenMemory {
  readonly memories: Memories
  readonly keyValues: KeyValues
  close(): Promise<void>
}

/** @param root folder of all owners; made where it is missing. Opens nothing before the first call. */
export function createMemory(root: string, limits: MemoryLimits, clock: Pick<Clock, 'now'>): OpenMemory {
  const owners = new Owners(root)
  return {
    memories: createMemories(owners, limits, clock),
    keyValues: createKeyValues(owners, limits, clock),
    close: () => owners.close(),
  }
}

/**
 * @param embedder finds memories by their meaning, where it has a notion of one.
 * Closes nothing: store and embedder are their owners' to close.
 */
export const createServerMemory = (store: Store, limits: MemoryLimits, { clock, embedder }: { readonly clock: Pick<Clock, 'now'>; readonly embedder?: Embedder | undefined }): OpenMemory => ({
  memories: createServerMemories({ store, limits, clock, embedder: embedder?.semantic === true ? embedder : undefined }),
  keyValues: createServerValues(store, limits, clock),
  close: async () => {},
})
