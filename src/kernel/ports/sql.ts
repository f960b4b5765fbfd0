/** Read-only SQL over the operator's database, as tools and guards see it. */

import type { Access } from '../access.ts'
import type { Claims } from '../caller.ts'

export interface SqlColumn {
  /** Cleaned: one short line. */
  readonly name: string
  /** The database's own word for the type; empty where it has none. */
  readonly type: string
}

export interface SqlAnswer {
  readonly dialect: 'postgres' | 'mysql' | 'sqlite'
  readonly columns: readonly SqlColumn[]
  /** Each row as a JSON array, strings cleaned: integers beyond 2^53, decimals and times as text, bytes as `\x` and hex. */
  readonly lines: readonly string[]
  /** The same rows, read when they are asked for. */
  readonly rows: readonly (readonly unknown[])[]
  /** The limit at which the rows stopped, if they did. */
  readonly cut?: 'rows' | 'bytes' | 'columns'
  /** What was read, as grants name it. */
  readonly tables: readonly string[]
}

export interface SqlTable {
  readonly table: string
  readonly columns: readonly SqlColumn[]
}

export type SqlParameters = Readonly<Record<string, string | number | boolean | null | readonly (string | number | boolean | null)[]>>

interface Asking {
  /** Bound as `:claim.sub`, so that a filter by caller is not the model's to choose. */
  readonly subject: string
  /** Bound as `:claim.NAME`, likewise. */
  readonly claims?: Claims | undefined
  readonly signal: AbortSignal
}

export interface Sql {
  /** Everything that a query would read; nothing of it has reached the database. @throws Refusal with a `sql.*` code. */
  reads(query: string): Promise<readonly Access[]>
  /** Runs a query whose reads were authorised. @throws Refusal with a `sql.*` code. */
  run(query: string, parameters: SqlParameters, asking: Asking): Promise<SqlAnswer>
  /** Tables and columns that pass `may`, by name, at most a few hundred. */
  schema(may: (access: Access) => boolean | Promise<boolean>, signal: AbortSignal): Promise<readonly SqlTable[]>
}
