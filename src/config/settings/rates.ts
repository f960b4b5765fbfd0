/**
 * The ceilings: how often one caller may use each component per minute. One table; every row is a
 * setting of its own, `<name>_PER_MINUTE`, and its sentence is made from the row.
 */

import { count } from '../kinds.ts'
import { section, setting } from '../setting.ts'
import type { Declared } from '../setting.ts'

interface Rate {
  readonly name: string
  readonly perMinute: number
  /** What is counted, where it is not the tool of the same name. */
  readonly of?: string
}

export const RATE_DEFAULTS = [
  { name: 'SAFE_FETCH', perMinute: 30 },
  { name: 'CALCULATE', perMinute: 120 },
  { name: 'READ_FILE', perMinute: 60 },
  { name: 'DOC_SEARCH', perMinute: 60 },
  { name: 'DOC_READ', perMinute: 60 },
  { name: 'DOC_RETRIEVE', perMinute: 30 },
  { name: 'DOC_SCAN', perMinute: 20 },
  { name: 'DOC_WRITE', perMinute: 30 },
  { name: 'SQL_QUERY', perMinute: 60 },
  { name: 'VECTOR_SEARCH', perMinute: 30 },
  { name: 'VECTOR_QUERY', perMinute: 30 },
  { name: 'HYBRID_QUERY', perMinute: 30 },
  { name: 'VECTOR_INDEX', perMinute: 6, of: 'calls of doc_index' },
  { name: 'CODE_SEARCH', perMinute: 60 },
  { name: 'CODE_READ', perMinute: 60 },
  { name: 'SYMBOL_MAP', perMinute: 20 },
  { name: 'DEPENDENCY_GRAPH', perMinute: 10 },
  { name: 'CODE_EXPLAIN', perMinute: 10 },
  { name: 'SUMMARIZE_DIFF', perMinute: 10 },
  { name: 'RERANK', perMinute: 20 },
  { name: 'RUN_SNIPPET', perMinute: 10 },
  { name: 'RUN_TESTS', perMinute: 4 },
  { name: 'WORKINGSET_GET', perMinute: 60 },
  { name: 'WORKINGSET_UPDATE', perMinute: 30 },
  { name: 'PACK_CONTEXT', perMinute: 10 },
  { name: 'TASK_START', perMinute: 10, of: 'calls of scan_corpus_async, each of which starts a background task' },
  { name: 'TASK_GET', perMinute: 120 },
  { name: 'TASK_UPDATE', perMinute: 30 },
  { name: 'TASK_LIST', perMinute: 60 },
  { name: 'TASK_SCHEDULE', perMinute: 10 },
  { name: 'MEMORY_STORE', perMinute: 30 },
  { name: 'MEMORY_SEARCH', perMinute: 60 },
  { name: 'MEMORY_LIST', perMinute: 60 },
  { name: 'MEMORY_DELETE', perMinute: 30 },
  { name: 'KV_SET', perMinute: 60 },
  { name: 'KV_GET', perMinute: 120 },
  { name: 'KV_DELETE', perMinute: 60 },
  { name: 'NOTIFY_WEBHOOK', perMinute: 10 },
  { name: 'RESOURCE_READ', perMinute: 60, of: 'resource reads' },
  { name: 'PROMPT_GET', perMinute: 60, of: 'prompts fetched' },
  { name: 'COMPLETION', perMinute: 60, of: 'argument completions' },
  { name: 'DEFAULT_TOOL', perMinute: 60, of: 'calls of each tool without a ceiling of its own' },
] as const satisfies readonly Rate[]

export type RateName = (typeof RATE_DEFAULTS)[number]['name']

/** Calls per caller and minute, by the name of the ceiling; a name that is no ceiling gives undefined. */
export type PerMinute = Readonly<Record<RateName, number>> & Readonly<Record<string, number | undefined>>

const declare = (rate: Rate): Declared<number> =>
  setting(count(1_000_000), {
    default: rate.perMinute,
    says: `Most ${rate.of ?? `calls of ${rate.name.toLowerCase()}`} per caller and minute; the next is refused.`,
  })

/** `SAFE_FETCH` is set by `SAFE_FETCH_PER_MINUTE`. */
export const rateSettingName = (name: RateName): string => `${name}_PER_MINUTE`

export const rates = section(
  'Ceilings per minute',
  Object.fromEntries(RATE_DEFAULTS.map((rate) => [rateSettingName(rate.name), declare(rate)])),
)
