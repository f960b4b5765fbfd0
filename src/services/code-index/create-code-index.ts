/** The embedded code index: one file for one tree, any number of processes at once. */

import type { Clock } from '../../kernel/clock.ts'
import type { CodeIndex } from '../../kernel/ports/code-index.ts'
import { EMPTY, openIndexFile, freshnessOf } from './index-file.ts'
import { searchIndex } from './search-index.ts'
import { changeIndex, updateIndex } from './update-index.ts'

export interface CodeIndexOptions {
  /** Where the index is kept, with mode 0600. One file per tree. */
  readonly file: string
  readonly clock: Clock
  /** Files of these names are never indexed. Required, so that nobody forgets it. */
  readonly holdsCredentials: (components: readonly string[]) => boolean
}

/**
 * Opens the index of a tree; the file is made when it is first needed. A lock of another process is waited for, at
 * most five seconds. @throws Error of the database when the folder cannot be written or the disk is full.
 */
export function createCodeIndex({ file: path, clock, holdsCredentials }: CodeIndexOptions): CodeIndex {
  const file = openIndexFile(path)
  const deps = { file, clock, holdsCredentials }
  return {
    update: (sources, { signal } = {}) => updateIndex(deps, sources, signal),
    change: (sources, removed = []) => changeIndex(deps, sources, removed),
    search: (text, query) => searchIndex(file, text, query),
    freshness: () => file.use(freshnessOf) ?? EMPTY,
    close: file.close,
  }
}
