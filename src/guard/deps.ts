/** What the guards ask of the outside. Each question is a port; everything else is in the call. */

import type { AuditOutcome } from '../kernel/audit.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import type { Call, Deadlines, Lease, Outcome } from '../kernel/call.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RateStore, Tickets } from '../kernel/limits.ts'
import type { Ask } from '../kernel/question.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Inspector, Level } from '../kernel/tool.ts'

type Awaitable<T> = T | Promise<T>

export interface GuardDeps {
  readonly clock: Clock
  /** Random, unguessable, at least 96 bits, for call ids, incidents and fences. */
  newId(): string
  readonly rates: RateStore
  /** Whether ceilings per minute hold. Budgets hold either way. */
  readonly rateLimited: boolean
  /** Calls per caller and day; 0 is no budget. */
  readonly budgetPerDay: number
  readonly slots: Slots
  readonly deadlines: Deadlines
  readonly authorizer: Authorizer
  readonly inspector: Inspector
  readonly levels: Levels
  readonly consent: Consent
  readonly tickets: Tickets
  /** Changes with every policy that could have decided otherwise. */
  policyRevision(): string
  readonly journal: Journal
  /** Opens a span around a call; undefined where telemetry is off. */
  readonly span: ((call: Call) => (outcome: Outcome) => void) | undefined
  readonly content: Content
  /** Bytes of text that one answer may carry. */
  readonly outputMaxBytes: number
  /** Keeps what a fault was, under the incident id that the caller gets. */
  onFault(incident: string, error: unknown): void
}

export interface Slots {
  /** A place to run in, or undefined when all are taken. An adapter may be remote; the one in memory answers at once. */
  take(callerKey: string): Awaitable<Lease | undefined>
}

export interface Levels {
  /** The operator's level for a component, or the declared one. */
  of(name: string, declared: Level): Level
  /** Whether the operator opted into this RESTRICTED component by name. */
  optedIn(name: string): boolean
}

/**
 * What a ticket is bound to: who calls what with which arguments, under which policy. An answer for one call is none
 * for another.
 */
export const bindingOf = ({ component, caller, raw }: Pick<Call, 'component' | 'caller' | 'raw'>, policyRevision: string): string =>
  JSON.stringify([component.kind, component.name, caller.bucket, sorted(raw), policyRevision])

/** Members in one order, so that the same arguments bind alike however they were written. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]))
}

export interface Consent {
  /** Nothing when a person agreed; a question where the protocol can carry one; else a refusal. */
  decide(call: Call): Awaitable<Refusal | Ask | undefined>
}

export interface Journal {
  /** Records that an effect is about to happen. A refusal when nothing could take the record. */
  intent(call: Call): Awaitable<Refusal | undefined>
  /** Records what a call came to. Waits for the disk only where an intent was written. */
  outcome(call: Call, is: AuditOutcome, code: string, reason: string): Awaitable<void>
}

export interface Content {
  /** Cleans text, or one line of it. Idempotent. */
  sanitise(text: string, format: 'text' | 'line'): string
  /** Rebuilds a document from what it says. Idempotent. @throws Refusal `content.*` */
  rebuild(text: string, format: 'markdown' | 'json'): Promise<string>
  /** Removes this server's own secrets; undefined where it has none. */
  readonly redact: ((text: string) => string) | undefined
  /** What removes credentials of any kind; only for answers that declare it. */
  scanner(): Promise<(text: string) => string>
}
