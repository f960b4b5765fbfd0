/** The words of the audit: one record a call, shapes instead of values. */

import type { Door } from './caller.ts'
import type { ErrandRow } from './errand.ts'

export type AuditKind = 'tool' | 'resource' | 'prompt' | 'completion' | 'listing' | 'message' | 'http' | 'server'
export type AuditOutcome = 'ok' | 'refused' | 'fault' | 'ask' | 'task' | 'intent'

/** One row of the trail, and one log line. Every text in it is ours or passed a strict pattern. */
export interface AuditRow {
  /** Joins the intent row of an effect with its outcome row. */
  readonly id: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number
  readonly door: Door
  readonly kind: AuditKind
  /** A registered name, or `unknown`: what a caller typed never becomes a label. */
  readonly component: string
  readonly caller: string
  /** Shape of the arguments, such as `{expression: string(5)}`. */
  readonly args: string
  readonly outcome: AuditOutcome
  /** Refusal code or incident id. */
  readonly code: string
  /** A closed term that says more than the caller was told. */
  readonly reason: string
  readonly ms: number
  /** W3C trace id, or empty. */
  readonly trace: string
  /** Only in rows of calls that an assistant made for a person. */
  readonly errand?: ErrandRow
}

/** Position in the trail: the sequence number and hash of its newest row. */
export interface TrailHead { readonly seq: number; readonly hash: string }

/** The append-only, hash-chained trail. */
export interface AuditTrail {
  /** Queues a row; it is written with its neighbours within `flushMs`. Never throws. */
  append(row: AuditRow): void
  /** Writes a row before it returns. @throws when the trail cannot take it. */
  write(row: AuditRow): Promise<void>
  /** The newest head that this process has seen; undefined before the first write. */
  head(): TrailHead | undefined
  flush(): Promise<void>
  close(): Promise<void>
}
