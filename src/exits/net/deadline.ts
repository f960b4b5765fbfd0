/** One signal for a whole fetch, and one refusal for whatever ended it early. */

import { refusal } from '../../kernel/refusal.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

/**
 * Runs with a signal that aborts with the caller's or after `timeoutMs`, always with a Refusal as its reason,
 * and rejects with that reason at once, also while `run` waits for something that cannot be interrupted.
 *
 * @throws Refusal `call.cancelled`, `egress.unreachable` (`timeout`), or whatever `run` throws.
 */
export const withDeadline = async <T>(
  outer: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  if (outer.aborted) throw stopReason(outer)
  const scope = new AbortController()
  const cancel = (): void => scope.abort(stopReason(outer))
  const timer = setTimeout(() => scope.abort(refusal('egress.unreachable', undefined, 'timeout')), timeoutMs)
  outer.addEventListener('abort', cancel, { once: true })
  const stopped = new Promise<never>((_, reject) => {
    scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true })
  })
  try {
    return await Promise.race([run(scope.signal), stopped])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', cancel)
    // Whatever still runs has nobody to report to.
    scope.abort(refusal('call.cancelled'))
  }
}
