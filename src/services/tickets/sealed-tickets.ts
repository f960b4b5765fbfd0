/** Tickets for calls that are tried again with answers: sealed, bound to the call, good once and for a limited time. */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces, Tickets } from '../../kernel/limits.ts'
import type { Seal } from './seal.ts'

export interface SealedTicketOptions {
  readonly seal: Seal
  readonly clock: Pick<Clock, 'now'>
  readonly nonces: Nonces
  /** How long a ticket lives, in milliseconds. */
  readonly lifeMs: number
}

const PREFIX = 'v1.'

export function createSealedTickets({ seal, clock, nonces, lifeMs }: SealedTicketOptions): Tickets {
  return {
    seal: (state, binding) => PREFIX + seal.close(state, bound(binding), clock.now() + lifeMs),

    redeem(ticket, binding) {
      const opened = ticket.startsWith(PREFIX) ? seal.open(ticket.slice(PREFIX.length), bound(binding)) : undefined
      if (!opened || clock.now() >= opened.untilMs) return undefined
      const used = nonces.use(opened.name, opened.untilMs)
      const given = (fresh: boolean) => (fresh ? { state: opened.state } : undefined)
      return used instanceof Promise ? used.then(given) : given(used)
    },
  }
}

const bound = (binding: string): string => `ticket\n${binding}`
