/**
 * What telemetry keeps of a call: names, codes and times, never an argument, an answer or a caller. A span and
 * two measurements are made from it later, so nothing of the call is held on to.
 */

import type { Call, Kind, Outcome, RemoteParent } from '../../kernel/call.ts'
import type { Door } from '../../kernel/caller.ts'

export interface CallRecord {
  readonly id: string
  readonly kind: Kind
  /** A registered name, or `unknown`. */
  readonly component: string
  readonly known: boolean
  readonly door: Door
  readonly parent: RemoteParent | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly startMs: number
  /** Milliseconds from the call's arrival in the chain to its outcome. */
  readonly tookMs: number
  readonly outcome: Outcome['is']
  /** Refusal code, `fault`, or empty. */
  readonly code: string
  /** The fixed sentence of the refusal, or empty. */
  readonly says: string
  /** Id under which a fault was logged, or empty. */
  readonly incident: string
}

export interface CallTimes {
  readonly startMs: number
  readonly tookMs: number
}

export function recordOf({ id, component, arrival }: Call, outcome: Outcome, { startMs, tookMs }: CallTimes): CallRecord {
  const { door, parent } = arrival
  const failure = failureOf(outcome)
  return { id, kind: component.kind, component: component.name, known: component.known, door, parent, startMs, tookMs, outcome: outcome.is, ...failure }
}

const failureOf = (outcome: Outcome): Pick<CallRecord, 'code' | 'says' | 'incident'> => {
  if (outcome.is === 'refused') return { code: outcome.refusal.code, says: outcome.refusal.message, incident: '' }
  if (outcome.is === 'fault') return { code: 'fault', says: 'internal error', incident: outcome.incident }
  return { code: '', says: '', incident: '' }
}
