import type { Family } from '../../kernel/resource.ts'
import { kvDelete } from './kv-delete.ts'
import { kvGet } from './kv-get.ts'
import { kvSet } from './kv-set.ts'
import { memoryDelete } from './memory-delete.ts'
import { memoryList } from './memory-list.ts'
import { memorySearch } from './memory-search.ts'
import { memoryStore } from './memory-store.ts'

/** What a caller keeps for itself: memories found by their words, and values under exact keys. */
export const memory: Family = {
  name: 'memory',
  tools: [memoryStore, memorySearch, memoryList, memoryDelete, kvSet, kvGet, kvDelete],
  resources: [],
  prompts: [],
}
