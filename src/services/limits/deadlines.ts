/**
 * Deadlines without a timer a call: one sweep watches all running calls. A timer and an abort
 * controller for each call were the dearest guard of all when measured.
 */

import type { Call, Lease } from '../../kernel/call.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refusal } from '../../kernel/refusal.ts'

const SWEEP_MS = 100

/** A call in its place in the list of those that run: a set would have to hash every one of them. */
interface Watched extends Lease {
  readonly call: Call
  at: number
}

export interface Deadlines {
  watch(call: Call): Lease
}

/** @param timeoutMs how long a call may work; it is stopped at most 100 ms late. */
export function createDeadlines(clock: Pick<Clock, 'ticks'>, timeoutMs: number): Deadlines {
  const running: Watched[] = []
  let timer: NodeJS.Timeout | undefined

  const remove = (watched: Watched): void => {
    if (running[watched.at] !== watched) return
    const last = running.pop()
    if (!last || last === watched) return
    last.at = watched.at
    running[last.at] = last
  }

  const sweep = (): void => {
    const now = clock.ticks()
    for (const watched of [...running]) {
      if (watched.call.worked(now) < timeoutMs * (watched.call.arrival.patience ?? 1)) continue
      remove(watched)
      watched.call.stop(refusal('call.timeout', 'ask for less, or raise the call timeout'))
    }
    if (running.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(call) {
      const watched: Watched = { call, at: running.length, release: () => remove(watched) }
      running.push(watched)
      // Not unref'd on purpose only while calls run: a pending call must be answered before the process ends.
      timer ??= setInterval(sweep, SWEEP_MS)
      return watched
    },
  }
}
