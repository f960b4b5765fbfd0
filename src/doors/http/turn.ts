/**
 * Requests that have arrived in one turn of the event loop are handled together: the calls of all of them, then their
 * answers. What one of them brings into the processor's caches serves the next, and a client is woken less often
 * (docs/decisions/one-turn.md).
 */

export interface Turn {
  /** Does the work once everything that has arrived was read. It must not throw. */
  call(work: () => void): void
  /** Does the work behind the calls that are being made, or at once where none are. It must not throw. */
  answer(work: () => void): void
}

/** How long an answer waits for other calls, in milliseconds; a call that computes is waited for to its end. */
const PATIENCE_MS = 1

/** @param ticks milliseconds on a clock that never goes back. */
export function createTurn(ticks: () => number): Turn {
  let calls: (() => void)[] = []
  let answers: (() => void)[] = []
  let isCalling = false

  const answerAll = (): void => {
    const due = answers
    answers = []
    for (const work of due) work()
  }

  const run = (): void => {
    const due = calls
    calls = []
    isCalling = true
    let start = ticks()
    for (const work of due) {
      work()
      if (ticks() - start < PATIENCE_MS) continue
      answerAll()
      start = ticks()
    }
    isCalling = false
    answerAll()
  }

  return {
    call: (work) => void (calls.push(work) === 1 && setImmediate(run)),
    answer: (work) => (isCalling ? void answers.push(work) : work()),
  }
}
