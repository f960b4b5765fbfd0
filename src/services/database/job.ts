/** What the engine is asked to do, as plain data that crosses threads and sockets. */

import type { DatabaseRole, Rows, Session, SqlInput, Statement } from '../../kernel/ports/database.ts'

export interface Job {
  /** Runs first, in one go: opens the transaction and gives up every right that the role lacks. */
  readonly begin: string
  readonly statements: readonly { readonly sql: string; readonly values: readonly (string | null)[] }[]
  /** Whether the statements run through a cursor. */
  readonly cursor: boolean
  readonly readOnly: boolean
  /** Whether the statements are scripts: several statements each, no values, no rows. */
  readonly scripts: boolean
  /** Whether the session is as new afterwards. */
  readonly freshAfter: boolean
  readonly timeoutMs: number
  readonly maxRows: number
  readonly maxBytes: number
  readonly maxColumns: number
}

export type JobOutcome =
  | { readonly is: 'ok'; readonly results: readonly Rows[] }
  /** Postgres refused the statement of that number, from 0. */
  | { readonly is: 'error'; readonly sqlState: string; readonly says: string; readonly statement: number }
  | { readonly is: 'timeout' }
  /** Not begun: whoever was asked is closing, and another may be asked. */
  | { readonly is: 'closed' }
  /** Begun, and nobody knows how it ended. */
  | { readonly is: 'lost'; readonly says: string }

/** Runs jobs somewhere. Never rejects. */
export interface JobRunner {
  run(job: Job, signal?: AbortSignal): Promise<JobOutcome>
}

const SECONDS_10 = 10_000

export const jobOf = (statements: readonly Statement[], session: Session): Job => ({
  begin: beginOf(session.role),
  statements: statements.map(({ sql, values = [] }) => ({ sql, values: values.map(inputText) })),
  cursor: session.role === 'reader',
  readOnly: isReadOnly(session.role),
  scripts: false,
  freshAfter: session.freshAfter ?? false,
  timeoutMs: session.timeoutMs ?? SECONDS_10,
  maxRows: session.maxRows ?? 1000,
  maxBytes: session.maxBytes ?? 8_000_000,
  maxColumns: session.maxColumns ?? 200,
})

export const isReadOnly = (role: DatabaseRole): boolean => role === 'reader' || role === 'searcher'

/** The user's tables are all that a reader finds without spelling a schema; ours are all that the others find first. */
export const searchPathOf = (role: DatabaseRole): string => (role === 'reader' ? 'public' : 'arrowhead, public')

/**
 * How a searcher walks an index of vectors: more rows in view find more and cost more. Vectors lie beside their rows,
 * which the planner leaves out of what reading all of them costs, so it is told not to.
 */
export const tuningOf = (role: DatabaseRole): string => (role === 'searcher' ? ' SET LOCAL hnsw.ef_search = 200; SET LOCAL enable_seqscan = off;' : '')

/** A role is given up for one transaction only; there is no statement among those a reader may run that takes it back. */
function beginOf(role: DatabaseRole): string {
  const start = `BEGIN${isReadOnly(role) ? ' READ ONLY' : ''}; SET LOCAL search_path TO ${searchPathOf(role)};${tuningOf(role)}`
  return role === 'owner' ? start : `${start} SET LOCAL ROLE arrowhead_${role};`
}

/** A value as Postgres reads it from text, whatever the type of the parameter. */
export function inputText(value: SqlInput): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'object') return `{${value.map((item) => (item === null ? 'NULL' : quoted(String(item)))).join(',')}}`
  return String(value)
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`
