/** Memories and key-values, embedded: one SQLite database an owner, in a jailed folder. */

import type { Clock } from '../../kernel/clock.ts'
import type { KeyValues, Memories } from '../../kernel/ports/memory.ts'
import { createKeyValues } from './key-values.ts'
import type { MemoryLimits } from './limits.ts'
import { createMemories } from './memories.ts'
import { Owners } from './owners.ts'

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
