/** The time of one request: it stands still while a person decides, and ends everything that runs when it is over. */

import { refusal } from '../kernel/refusal.ts'

export interface Timers {
  /** Milliseconds on a clock that never goes back. */
  ticks(): number
  /** Runs something once, later. @returns what takes it back */
  after(ms: number, run: () => void): () => void
}

export interface TimeLimit {
  /** Aborts with a refusal when the time is over, or with the outer signal. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  /** Work during which time stands still. */
  paused<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export function createTimeLimit(limitMs: number, timers: Timers, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let [leftMs, isOver] = [limitMs, false]
  let stop = (): void => {}
  const run = (): void => {
    const from = timers.ticks()
    const takeBack = timers.after(leftMs, () => {
      isOver = true
      controller.abort(refusal('call.timeout'))
    })
    stop = () => {
      takeBack()
      leftMs = Math.max(0, leftMs - (timers.ticks() - from))
      stop = () => {}
    }
  }
  const cancel = (): void => controller.abort(refusal('call.cancelled'))
  if (outer?.aborted === true) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  run()
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    async paused(work) {
      stop()
      try {
        return await work()
      } finally {
        if (!controller.signal.aborted) run()
      }
    },
    end() {
      stop()
      outer?.removeEventListener('abort', cancel)
    },
  }
}
