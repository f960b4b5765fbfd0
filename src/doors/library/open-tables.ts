/** The tables of the embedded database, for programs: what `arrowhead data` does at the command line. */

import { defaultDataDir } from '../../app/default-data-dir.ts'
import { openTables as open, planLoad } from '../../app/tables.ts'
import type { LoadedFile, OwnTable } from '../../app/tables.ts'
import { loadSettings } from '../../config/index.ts'
import type { GivenSettings } from './create-arrowhead.ts'

export interface LoadFileOptions {
  /** @default the file's name, made plain */
  readonly table?: string
  /** Where the table is there already. @default 'create', which refuses then */
  readonly mode?: 'create' | 'replace' | 'append'
  /** Types of columns whose values say too little, such as `{ total: 'numeric(10,2)' }`. */
  readonly types?: Readonly<Record<string, string>>
  /** @default a comma, or a tab for a `.tsv` file */
  readonly delimiter?: string
  readonly signal?: AbortSignal
  /** Rows so far, of how many where that is known: the file is read once before it is written. */
  readonly onProgress?: (rows: number, total?: number) => void
}

export interface Tables {
  /**
   * A `.csv`, `.tsv`, `.ndjson` or `.jsonl` file becomes a table, a `.sql` script runs: whole or not at all.
   * @throws LoadError, also for an option that says nothing about such a file: a script takes none but `signal`,
   * NDJSON no `delimiter`, and rows that are added no `types`. What the signal carries, where it aborted in time.
   */
  load(file: string, options?: LoadFileOptions): Promise<LoadedFile>
  list(): Promise<readonly OwnTable[]>
  /** All of them or none. @throws LoadError */
  drop(...names: readonly string[]): Promise<void>
  close(): Promise<void>
}

/**
 * The operator's own tables in the embedded database, which `sql_query` reads. No caller's right is asked: this is for
 * whoever owns the process. It may be open beside an Arrowhead over the same data directory.
 * @throws LoadError where a connection string is set; ConfigError for settings that are wrong.
 */
export function openTables(settings: GivenSettings = {}, { dataDir }: { readonly dataDir?: string } = {}): Tables {
  const { values } = loadSettings({ file: JSON.stringify(settings) })
  const tables = open(values, dataDir ?? values.dataDir ?? defaultDataDir(process))
  const never = new AbortController().signal
  return {
    load: async (file, { table, mode, types = {}, delimiter, signal = never, onProgress: progress = () => undefined } = {}) =>
      tables.load(planLoad(file, { table, mode, delimiter, types: Object.entries(types).map(([name, type]) => `${name}=${type}`) }), { signal, progress }),
    list: () => tables.list(never),
    drop: (...names) => tables.drop(names, never),
    close: () => tables.close(),
  }
}
