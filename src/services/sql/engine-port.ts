/** A database that queries run on. Whatever reaches it was judged before; it holds its own line all the same. */

import type { Dialect } from './dialect.ts'

/** A value that a parameter can have. A list is an array where the database has arrays. */
export type SqlScalar = string | number | boolean | null
export type SqlValue = SqlScalar | readonly SqlScalar[]

/** JSON as an answer carries it: integers within 2^53 as numbers, wider ones, decimals and times as text, bytes as `\x` and hex. */
export type Cell = string | number | boolean | null | readonly unknown[] | object

export interface Column {
  readonly name: string
  /** The database's own word for the type, in lower case; empty where it has none. */
  readonly type: string
}

export interface RowLimits {
  readonly maxRows: number
  /** Bytes of the rows as JSON. What the database sends is bounded too, by a few times as much. */
  readonly maxBytes: number
  readonly maxColumns: number
  /** Wall time. The database stops the statement where it can; otherwise its thread or connection ends. */
  readonly timeoutMs: number
}

export interface EngineQuery {
  readonly text: string
  /** One value for each placeholder, in order: `$1` in Postgres, `?` elsewhere. */
  readonly values: readonly SqlValue[]
  readonly limits: RowLimits
}

export interface EngineRows {
  readonly columns: readonly Column[]
  /** Each row as a JSON array, which it was made into to be weighed. */
  readonly lines: readonly string[]
  /** The limit at which it stopped, if it did. */
  readonly cut?: 'rows' | 'bytes' | 'columns'
}

/** The rows of an answer, read. */
export const rowsOf = ({ lines }: Pick<EngineRows, 'lines'>): readonly (readonly Cell[])[] => lines.map((line) => JSON.parse(line) as readonly Cell[])

export interface TableShape {
  readonly schema: string
  readonly name: string
  readonly columns: readonly Column[]
}

export interface SqlEngine {
  readonly dialect: Dialect
  /** The one schema in which unqualified names are looked up, besides the catalogue's own. */
  defaultSchema(): Promise<string>
  /**
   * Runs one statement in a read-only transaction that is never committed.
   * @throws Refusal `sql.failed`, `sql.cost` or `sql.unavailable`, or what the signal aborts with.
   */
  query(query: EngineQuery, signal: AbortSignal): Promise<EngineRows>
  /** Tables and views that its role can see, at most so many. */
  tables(limit: number, signal: AbortSignal): Promise<readonly TableShape[]>
  /**
   * Functions beyond the catalogue's own that take one value: in Postgres `x.f` calls f where x has no such column.
   * Absent where the database has none.
   */
  fieldFunctions?(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
