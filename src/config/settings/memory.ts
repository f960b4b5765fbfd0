/** What callers may leave behind: working sets, memories, the key-value scratchpad. */

import { bytes, count, integer } from '../kinds.ts'
import { connection } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'
import { path } from '../text-kinds.ts'

export const context = section('Working sets and context', {
  WORKINGSET_MAX_SETS: setting(count(1_000_000), { default: 100, says: 'Most working sets one caller may keep.' }),
  WORKINGSET_MAX_ITEMS: setting(count(1_000_000), { default: 200, says: 'Most items one working set may pin.' }),
  PACK_MAX_TOKENS: setting(count(10_000_000), {
    default: 8000,
    says: 'Largest budget, in tokens, a call may ask pack_context to fill.',
  }),
})

export const memory = section('Memory and scratchpad', {
  MEMORY_ROOT: setting(path(), {
    default: 'memory',
    says: 'Folder that keeps memories and keys when no database is named; a relative path starts at the working directory.',
  }),
  MEMORY_DSN: setting(connection('postgresql://memory@db.example.com/app'), {
    secret: true,
    says: 'PostgreSQL that keeps memories, keys, working sets, tasks and timers instead of this machine, and a copy of the audit trail, with a role that may write; unset, the folder and the data directory are used.',
  }),
  MEMORY_MAX_CONTENT_BYTES: setting(bytes(1_000_000_000), { default: 100_000, says: 'Largest content of one memory.' }),
  MEMORY_MAX_METADATA_BYTES: setting(bytes(10_000_000), {
    default: 4096,
    says: 'Largest metadata of one memory, as JSON.',
  }),
  MEMORY_MAX_ENTRIES_PER_NAMESPACE: setting(count(10_000_000), {
    default: 500,
    says: 'Most memories one caller may keep in one namespace.',
  }),
  MEMORY_MAX_NAMESPACES: setting(count(1_000_000), { default: 50, says: 'Most namespaces one caller may keep.' }),
  MEMORY_QUOTA_BYTES: setting(bytes(10_000_000_000_000), {
    default: 50_000_000,
    says: 'Most bytes one caller may keep, memories and keys together.',
  }),
  MEMORY_MAX_K: setting(count(10_000), { default: 20, says: 'Most memories one search returns.' }),
  KV_MAX_KEYS: setting(count(10_000_000), { default: 1000, says: 'Most keys one caller may keep.' }),
  KV_MAX_VALUE_BYTES: setting(bytes(1_000_000_000), { default: 100_000, says: 'Largest value of one key.' }),
  KV_MAX_TTL_SECONDS: setting(integer({ min: 1, max: 315_360_000 }, 'seconds'), {
    default: 604_800,
    says: 'Longest lifetime a caller may give a key.',
  }),
})
