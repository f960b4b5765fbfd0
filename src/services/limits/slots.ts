/** Places to run in: a bound for the whole process and one for each caller. */

import type { Lease } from '../../kernel/call.ts'

export interface Slots {
  take(callerKey: string): Lease | undefined
}

/** @param max calls at once in this process. @param maxPerCaller calls at once of one caller. */
export function createSlots(max: number, maxPerCaller: number): Slots {
  const held = new Map<string, number>()
  let all = 0

  const release = (key: string): void => {
    all -= 1
    const mine = (held.get(key) ?? 1) - 1
    if (mine === 0) held.delete(key)
    else held.set(key, mine)
  }

  return {
    take(key) {
      const mine = held.get(key) ?? 0
      if (all >= max || mine >= maxPerCaller) return undefined
      all += 1
      held.set(key, mine + 1)
      return { release: () => release(key) }
    },
  }
}
