/** What the engine is asked to do, as plain data that crosses threads and sockets. */

import type { DatabaseRole, Rows, Session, SqlInput, Statement } from '../../kernel/ports/database.ts'

/** A parameter as text, or in Postgres' binary form. */
export type JobValue = string | null | { readonly base64: string }

export interface Job {
  /** Runs first, in one go: opens the transaction and gives up every right that the role lacks. */
  readonly begin: string
  readonly statements: readonly { readonly sql: string; readonly values: readonly JobValue[] }[]
  /** Whether rows are fetched by the portion, through a portal of the embedded engine or a cursor of a server. */
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
  statements: statements.map(({ sql, values = [] }) => ({ sql, values: values.map(inputOf) })),
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
 * which the planner leaves out of what reading all of them costs, so it is told to sort only what no index orders. It
 * writes that down as a price so high that machine code would be made for each query.
 */
export const tuningOf = (role: DatabaseRole): string =>
  role === 'searcher' ? ' SET LOCAL hnsw.ef_search = 200; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL jit = off;' : ''

/** Rows that were replaced stay in an index for a while; a walk that meets many of them goes on until it has what was asked for. */
export const FURTHER = ['hnsw.iterative_scan', 'strict_order'] as const

/** A role is given up for one transaction only; there is no statement among those a reader may run that takes it back. */
function beginOf(role: DatabaseRole): string {
  const start = `BEGIN${isReadOnly(role) ? ' READ ONLY' : ''}; SET LOCAL search_path TO ${searchPathOf(role)};${tuningOf(role)}${role === 'searcher' ? ` SET LOCAL ${FURTHER[0]} = ${FURTHER[1]};` : ''}`
  return role === 'owner' ? start : `${start} SET LOCAL ROLE arrowhead_${role};`
}

/** A value as Postgres reads it, from text whatever the type of the parameter. */
export function inputOf(value: SqlInput): JobValue {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Float32Array) return { base64: realArray(value).toString('base64') }
  if (typeof value === 'object') return `{${value.map((item) => (item === null ? 'NULL' : quoted(String(item)))).join(',')}}`
  return String(value)
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

const [FLOAT4_OID, ARRAY_HEADER, FLOAT4_CELL] = [700, 20, 8]

/** The binary form of a one-dimensional array without NULL: header, then each element after its length, in network order. */
function realArray(numbers: Float32Array): Buffer {
  const bytes = Buffer.alloc(numbers.length === 0 ? 12 : ARRAY_HEADER + numbers.length * FLOAT4_CELL)
  bytes.writeInt32BE(numbers.length === 0 ? 0 : 1, 0)
  bytes.writeInt32BE(FLOAT4_OID, 8)
  if (numbers.length === 0) return bytes
  bytes.writeInt32BE(numbers.length, 12)
  bytes.writeInt32BE(1, 16)
  for (const [at, number] of numbers.entries()) {
    const place = ARRAY_HEADER + at * FLOAT4_CELL
    bytes.writeInt32BE(4, place)
    bytes.writeFloatBE(number, place + 4)
  }
  return bytes
}
