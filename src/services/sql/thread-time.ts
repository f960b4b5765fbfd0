/**
 * How long a thread has worked: time on a processor, which a busy machine does not use up for it. Where the system
 * does not tell (only Linux does), the clock on the wall has to do, with more of it.
 */

import { readFileSync } from 'node:fs'

/** Milliseconds on a processor so far; undefined where the system does not tell. */
export type ThreadTime = () => number | undefined

/** @param thread what `/proc/thread-self` is in the thread itself; empty where there is no such thing. */
export const threadTime = (thread: string): ThreadTime => () => {
  if (!/^\d+\/task\/\d+$/.test(thread)) return undefined
  try {
    const nanoseconds = Number(readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined
  } catch {
    return undefined
  }
}

export interface Spent {
  /** On a processor. */
  readonly usedMs: number | undefined
  /** On the wall. */
  readonly waitedMs: number
}

/** Nobody waits longer, however little the thread could work. */
const LONGEST_MS = 20_000
/** How much of the clock on the wall stands for a part of it on a processor. */
const BLIND = 8

/** How much longer the work may take, in milliseconds; 0 when its time is over. */
export function leftMs(deadlineMs: number, { usedMs, waitedMs }: Spent): number {
  const left = usedMs === undefined ? deadlineMs * BLIND - waitedMs : deadlineMs - usedMs
  return Math.max(0, Math.min(left, LONGEST_MS - waitedMs))
}
