/**
 * Deadlines without a timer a call: one sweep watches all running calls. A timer and an abort
 * controller for each call were the dearest guard of all when measured.
 */

import type { Call, Lease } from '../../kernel/call.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refusal } from '../../kernel/refusal.ts'

const SWEEP_MS = 100

export interface Deadlines {
  watch(call: Call): Lease
}

/** @param timeoutMs how long a call may work; it is stopped at most 100 ms late. */
export function createDeadlines(clock: Pick<Clock, 'ticks'>, timeoutMs: number): Deadlines {
  const running = new Set<Call>()
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    const now = clock.ticks()
    for (const call of running) {
      if (call.worked(now) < timeoutMs) continue
      running.delete(call)
      call.stop(refusal('call.timeout', 'ask for less, or raise the call timeout'))
    }
    if (running.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(call) {
      running.add(call)
      // Not unref'd on purpose only while calls run: a pending call must be answered before the process ends.
      timer ??= setInterval(sweep, SWEEP_MS)
      return {
        release: () => void running.delete(call),
      }
    },
  }
}
