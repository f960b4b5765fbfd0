/**
 * A database of this server's own, as steps: a unit of work is a generator that yields one statement after another
 * and is handed what each gave. So the same work runs in a moment over an embedded database and takes its time over
 * a server. Statements are constants in the SQL that both speak, with `?` for values. The one over a server passes
 * `test/adapters/store.test.ts`.
 */

export type StoreValue = string | number | Uint8Array | null | readonly string[] | readonly number[]
export type StoreRow = Readonly<Record<string, unknown>>

export interface StoreStatement {
  readonly sql: string
  readonly values: readonly StoreValue[]
  /** Whether rows are wanted, or their number alone. */
  readonly gives: 'rows' | 'changes'
}

export interface StoreAnswer {
  readonly rows: readonly StoreRow[]
  readonly changes: number
}

/** Changes nothing but by what it yields: it may be run more than once. */
export type Steps<T> = Generator<StoreStatement, T, StoreAnswer>

export interface Store {
  /**
   * Runs the work in one transaction: all of it happens, or nothing. A `write` runs alone among the writes under the
   * same `lock`; a `read` may see what is committed between its statements.
   * @throws what the work throws; Refusal `database.unavailable`, `database.timeout` or `data.unconfigured`.
   */
  use<T>(mode: 'read' | 'write', work: () => Steps<T>, lock?: string): Promise<T>
  close(): Promise<void>
}

export function* all(sql: string, ...values: readonly StoreValue[]): Steps<readonly StoreRow[]> {
  return (yield { sql, values, gives: 'rows' }).rows
}

export function* get(sql: string, ...values: readonly StoreValue[]): Steps<StoreRow | undefined> {
  return (yield { sql, values, gives: 'rows' }).rows[0]
}

/** @returns how many rows were changed. */
export function* run(sql: string, ...values: readonly StoreValue[]): Steps<number> {
  return (yield { sql, values, gives: 'changes' }).changes
}
