/** Calls that wait for a person, by their tickets. Whether a ticket counts is the chain's to say; here is only what it was for. */

import type { Outcome } from '../../kernel/call.ts'
import type { Errand } from '../../kernel/errand.ts'
import type { Ask } from '../../kernel/question.ts'
import type { Fields } from '../../kernel/schema.ts'

export interface Waiting {
  readonly tool: string
  readonly args: Fields
  readonly errand: Errand
  readonly ask: Ask
  /** Told what came of it. */
  readonly heard?: (outcome: Outcome) => void
}

const MAX_WAITING = 200

export interface PendingCalls {
  put(ticket: string, waiting: Waiting): void
  /** What a ticket was for. It stays until `drop`, because a false attempt must not take it away. */
  find(ticket: string): Waiting | undefined
  drop(ticket: string): void
}

/** @param now milliseconds; entries are forgotten `lifeMs` after they were put. */
export function createPendingCalls(lifeMs: number, now: () => number): PendingCalls {
  const waiting = new Map<string, { readonly call: Waiting; readonly untilMs: number }>()
  const sweep = (): void => {
    for (const [ticket, { untilMs }] of waiting) if (untilMs <= now() || waiting.size > MAX_WAITING) waiting.delete(ticket)
  }
  return {
    put(ticket, call) {
      waiting.set(ticket, { call, untilMs: now() + lifeMs })
      sweep()
    },
    find(ticket) {
      sweep()
      return waiting.get(ticket)?.call
    },
    drop: (ticket) => void waiting.delete(ticket),
  }
}
