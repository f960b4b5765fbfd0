/** What the readers of files have in common: text goes in as it comes, whole rows come out. */

export interface FileRow {
  /** Where it begins, from 1. */
  readonly line: number
  /** Null is SQL's NULL. A row may be shorter than the columns: what is missing is NULL. */
  readonly cells: readonly (string | null)[]
  /** What each cell can be (`typesOf`), where its file says more than its text does. */
  readonly types?: readonly number[]
}

export interface RowReader {
  /** As the file names them; all of them are known at the end only. */
  readonly columns: readonly string[]
  /** @throws LoadError */
  push(text: string): readonly FileRow[]
  /** @throws LoadError for a row that has no end. */
  end(): readonly FileRow[]
}

/** Characters of one row, all its values together. A quote that is never closed is noticed here at the latest. */
export const MAX_ROW_CHARS = 8_000_000
/** What Postgres allows a table. */
export const MAX_COLUMNS = 1_600
