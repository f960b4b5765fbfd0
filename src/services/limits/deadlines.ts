/**
 * Deadlines without a timer a call: one sweep watches all running calls. A timer and an abort
 * controller for each call were the dearest guard of all when measured.
 */

import type { Call, Deadlines, Lease } from '../../kernel/call.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refusal } from '../../kernel/refusal.ts'

const SWEEP_MS = 100

/** A call in its place in the list of those that run: a set would have to hash every one of them. */
class Watched implements Lease {
  readonly call: Call
  readonly #running: Watched[]
  #at: number

  constructor(call: Call, running: Watched[]) {
    this.call = call
    this.#running = running
    this.#at = running.length
    running.push(this)
  }

  /** The last of the list takes its place. */
  release(): void {
    const running = this.#running
    if (running[this.#at] !== this) return
    const last = running.pop()
    if (!last || last === this) return
    last.#at = this.#at
    running[last.#at] = last
  }
}

/** @param timeoutMs how long a call may work; it is stopped at most 100 ms late. */
export function createDeadlines(clock: Pick<Clock, 'ticks'>, timeoutMs: number): Deadlines {
  const running: Watched[] = []
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    const now = clock.ticks()
    for (const watched of [...running]) {
      if (watched.call.worked(now) < timeoutMs * (watched.call.arrival.patience ?? 1)) continue
      watched.release()
      watched.call.stop(refusal('call.timeout', 'ask for less, or raise the call timeout'))
    }
    if (running.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(call) {
      const watched = new Watched(call, running)
      // Not unref'd on purpose only while calls run: a pending call must be answered before the process ends.
      timer ??= setInterval(sweep, SWEEP_MS)
      return watched
    },
    stop(why) {
      for (const { call } of [...running]) if (call.arrival.door !== 'task') call.stop(why)
    },
  }
}
