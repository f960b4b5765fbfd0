/** Named collections of references that callers keep, each for its owner alone. */

export { createMemorySets } from './memory-sets.ts'
export type { WorkingSetLimits } from './set-rules.ts'
export { createServerSets, createSqliteSets } from './kept-sets.ts'
export type { OpenWorkingSets } from './kept-sets.ts'
