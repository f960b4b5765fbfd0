/** Places to run in: a bound for the whole process and one for each caller. */

import type { Lease } from '../../kernel/call.ts'

export interface Slots {
  take(callerKey: string): Lease | undefined
}

interface Seat extends Lease {
  held: number
}

/** Callers that are remembered while they hold nothing. */
const MAX_IDLE = 1_000

/** @param max calls at once in this process. @param maxPerCaller calls at once of one caller. */
export function createSlots(max: number, maxPerCaller: number): Slots {
  const seats = new Map<string, Seat>()
  let all = 0

  const sit = (key: string): Seat => {
    if (seats.size >= MAX_IDLE + max) for (const [idle, { held }] of seats) if (held === 0) seats.delete(idle)
    const seat: Seat = {
      held: 0,
      // One lease serves all calls of a caller: what is given back is a place, not a particular one.
      release() {
        all -= 1
        seat.held -= 1
      },
    }
    seats.set(key, seat)
    return seat
  }

  return {
    take(key) {
      const seat = seats.get(key) ?? sit(key)
      if (all >= max || seat.held >= maxPerCaller) return undefined
      all += 1
      seat.held += 1
      return seat
    },
  }
}
