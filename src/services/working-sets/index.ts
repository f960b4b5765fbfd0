/** Named collections of references that callers keep, each for its owner alone. */

export { createMemorySets } from './memory-sets.ts'
export type { WorkingSetLimits } from './set-rules.ts'
export { createSqliteSets } from './sqlite-sets.ts'
export type { OpenWorkingSets } from './sqlite-sets.ts'
