/** The end of an app: no call begins after it, and none that runs loses its record or is left without an answer. */

import type { Deadlines, Dispatch } from '../kernel/call.ts'
import { refusal } from '../kernel/refusal.ts'

/** How long calls may go on after the end was asked for, and how long those that are stopped may take to leave their records. */
const [GRACE_MS, CUT_OFF_MS] = [500, 500]

export interface Gated {
  readonly dispatch: Dispatch
  readonly deadlines: Deadlines
  /** Stops what begins calls of its own. */
  begin?(): Promise<void>
  /** Closes what calls work with. */
  close(): Promise<void>
}

export function closingGate({ dispatch, deadlines, begin, close }: Gated): { readonly dispatch: Dispatch; close(): Promise<void> } {
  let closed: Promise<void> | undefined
  let waiting = 0
  let onQuiet = (): void => {}
  const ended = (): void => {
    waiting -= 1
    if (waiting === 0) onQuiet()
  }
  const quiet = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (waiting === 0) return resolve()
      const timer = setTimeout(resolve, ms)
      onQuiet = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const end = async (): Promise<void> => {
    await begin?.()
    await quiet(GRACE_MS)
    deadlines.stop(closedRefusal())
    await quiet(CUT_OFF_MS)
    await close()
  }
  return {
    dispatch(request, caller, arrival) {
      if (closed) return { is: 'refused', refusal: closedRefusal() }
      const outcome = dispatch(request, caller, arrival)
      if (!(outcome instanceof Promise)) return outcome
      waiting += 1
      return outcome.finally(ended)
    },
    close: () => (closed ??= end()),
  }
}

const closedRefusal = () => refusal('server.closed', 'call another server, or open this one again')
