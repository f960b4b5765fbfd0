/** Rounds in which the contestants take turns, so that a slow minute of the machine is slow for all of them. */

import { setTimeout as pause } from 'node:timers/promises'

export interface Row {
  readonly id: string
  readonly ours: number
  /** What `theirs` measures. */
  readonly baseline: string
  readonly theirs: number
  /** Above 1, ours is better. */
  readonly ratio: number
  readonly unit: string
  /** Measurements behind each of the two numbers. */
  readonly n: number
}

/** How much a bench measures. */
export interface Effort {
  readonly rounds: number
  /** Milliseconds for which one rate is measured in one round. */
  readonly sliceMs: number
}

/** One file of measurements. The ids are those of the rows that it gives. */
export interface Bench {
  readonly ids: readonly string[]
  run(effort: Effort): Promise<readonly Row[]>
}

/** Lets work that a contestant put off end before the next one is timed. */
const SETTLE_MS = 60

/** Measures every contestant once a round, in the order given. @returns each one's measurements. */
export async function takeTurns<Name extends string, Value>(
  rounds: number, contestants: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(contestants) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Value[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      taken[name].push(await contestants[name]())
      await pause(SETTLE_MS)
    }
  }
  return taken
}

/** @throws RangeError for an empty list. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (low === undefined || high === undefined) throw new RangeError('nothing was measured')
  return (low + high) / 2
}

interface Compared {
  readonly id: string
  readonly baseline: string
  readonly unit: string
  /** Whether more is better, as for rates, or less, as for times and sizes. */
  readonly better: 'more' | 'less'
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

/** The row that says how two lists of measurements compare. */
export function compared({ id, baseline, unit, better, ours, theirs }: Compared): Row {
  const [mine, other] = [median(ours), median(theirs)]
  const ratio = better === 'more' ? mine / other : other / mine
  return { id, ours: mine, baseline, theirs: other, ratio, unit, n: Math.min(ours.length, theirs.length) }
}

/** Calls between two turns of the event loop: timers and input get their share, as in a real process. */
const BATCH = 64

/** Calls a second of work done one after the other for about `ms` milliseconds. */
export async function callsPerSecond(ms: number, work: () => unknown): Promise<number> {
  const start = performance.now()
  for (let calls = 0; ; ) {
    for (let i = 0; i < BATCH; i += 1) await work()
    calls += BATCH
    await new Promise(setImmediate)
    const elapsed = performance.now() - start
    if (elapsed >= ms) return (calls * 1000) / elapsed
  }
}
