/**
 * Text from outside, and whether a call carries it on: runs of words that stood in a file, a session or the result of a
 * tool, and that the person did not write. What a file says may go back into that file.
 */

import { compatible } from '../kernel/normal-form.ts'

export interface Taint {
  /** Text from outside. @param source the path that it is from, or empty. */
  hear(source: string, text: string): void
  /** Whether what would be written holds a run of words from elsewhere than its own place. */
  isIn(text: string, target: string): boolean
}

/** Words of a run; fewer stand in honest text by chance. */
const RUN = 5
/** Letters that they hold together, so that `a b c d e` is no run. */
const MIN_LETTERS = 16
/** Runs that are remembered. When there are more, everything counts as carried. */
const MAX_RUNS = 300_000
/** The sources of one run that are told apart; a run with more is everybody's. */
const SHARED = '*'

/** @param trusted the person's own words. */
export function createTaint(trusted: string, maxRuns = MAX_RUNS): Taint {
  const own = new Set(runsIn(trusted))
  const heard = new Map<string, string>()
  let isFull = false
  return {
    hear(source, text) {
      for (const run of runsIn(text)) {
        const known = heard.get(run)
        if (known === undefined && heard.size >= maxRuns) isFull = true
        else if (known === undefined) heard.set(run, source)
        else if (known !== source) heard.set(run, SHARED)
      }
    },
    isIn(text, target) {
      if (isFull) return true
      for (const run of runsIn(text)) {
        const source = heard.get(run)
        if (source !== undefined && source !== target && !own.has(run)) return true
      }
      return false
    },
  }
}

function* runsIn(text: string): Generator<string> {
  const words = compatible(text).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  for (let at = 0; at + RUN <= words.length; at += 1) {
    const run = words.slice(at, at + RUN).join(' ')
    if (run.length >= MIN_LETTERS) yield run
  }
}
