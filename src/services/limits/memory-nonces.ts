/** Remembers what was used, in memory and bounded. Full of things still alive, it says no to everything new. */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces } from '../../kernel/limits.ts'

const MAX_NONCES = 100_000
const SWEEP_MS = 1_000

export function createMemoryNonces(clock: Pick<Clock, 'now'>, maxNonces = MAX_NONCES): Nonces {
  const used = new Map<string, number>()

  let sweptMs = Number.NEGATIVE_INFINITY

  /** Once a second at most, so that a flood of new ones cannot buy a scan each. */
  const dropExpired = (): void => {
    const now = clock.now()
    if (Math.abs(now - sweptMs) < SWEEP_MS) return
    sweptMs = now
    for (const [id, untilMs] of used) if (untilMs <= now) used.delete(id)
  }

  return {
    used: (id) => used.has(id),
    use(id, untilMs) {
      if (used.has(id)) return false
      if (used.size >= maxNonces) dropExpired()
      if (used.size >= maxNonces) return false
      used.set(id, untilMs)
      return true
    },
  }
}
