/**
 * Postgres as a port: embedded in this machine, or a server. A transaction is a list of statements known
 * beforehand, so nothing is ever held open while somebody thinks. Every adapter passes `test/adapters/database.contract.ts`.
 */

/** A value bound to a parameter; lists become Postgres arrays. Four-byte numbers become a `real[]` and are never written as text. */
export type SqlInput = string | number | boolean | null | readonly (string | number | null)[] | Float32Array

/**
 * Whose rights a statement has. `reader`: SELECT on the user's own tables and nothing else. `searcher`: SELECT on
 * vector collections. `writer`: fills collections. `owner`: this server's own migrations.
 */
export type DatabaseRole = 'reader' | 'searcher' | 'writer' | 'owner'

export interface Statement {
  /** One statement. Text that this project did not write is a `reader`'s, after it passed the SQL guard, or the operator's own script. */
  readonly sql: string
  /** For `$1`, `$2` and so on. */
  readonly values?: readonly SqlInput[]
}

export interface Session {
  readonly role: DatabaseRole
  /** Stops the statement where it is. */
  readonly signal?: AbortSignal
  /** Longest time the statements may run together, in milliseconds. @default 10,000 */
  readonly timeoutMs?: number
  /** Most rows of one statement; more are left out and the result says so. @default 1,000 */
  readonly maxRows?: number
  /** Most bytes of all cells of one statement, as UTF-8 text. @default 8,000,000 */
  readonly maxBytes?: number
  /** Most columns of one statement; the rest are left out. @default 200 */
  readonly maxColumns?: number
  /** What an owner's statements set for the session (SET, roles, locks, temporary tables) ends with them. @default false */
  readonly freshAfter?: boolean
}

export interface Column {
  readonly name: string
  /** Object id of the type in Postgres' `pg_type`. */
  readonly typeOid: number
}

export interface Rows {
  readonly columns: readonly Column[]
  /** Cells in Postgres' own text form, which loses nothing; null is SQL's NULL. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Whether a cap left something out. */
  readonly truncated: boolean
  /** Rows that a writing statement changed. */
  readonly changed: number
}

/** One step of the schema. Applied once, by name, in the order given. */
export interface Migration {
  readonly name: string
  /** Statements, in one transaction. */
  readonly sql: string
}

export interface Database {
  /**
   * Runs one statement in a transaction of its own: read-only for `reader` and `searcher`, and for a `reader`
   * through a portal or a cursor, so that the caps hold before rows are made.
   * @throws StatementError when Postgres refuses the statement; Refusal `database.timeout`, `database.unavailable`,
   * or the one that the signal carries.
   */
  query(statement: Statement, session: Session): Promise<Rows>
  /** All of the statements or none. @throws as `query` does. */
  transaction(statements: readonly Statement[], session: Session): Promise<readonly Rows[]>
  /** Applies what was not applied yet. @returns the names applied now. @throws as `query` does. */
  migrate(migrations: readonly Migration[]): Promise<readonly string[]>
  close(): Promise<void>
}

/** Postgres said no to a statement. Carries neither the statement nor its values. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  /** Five characters (PostgreSQL, Appendix A). */
  readonly sqlState: string
  /** Which statement of a transaction it was, from 0; undefined where that is not known. */
  readonly statement: number | undefined

  /** @param says the database's own words, which may repeat names and values: text from outside. */
  constructor(sqlState: string, says: string, statement?: number) {
    super(says)
    this.sqlState = sqlState
    this.statement = statement
  }
}
