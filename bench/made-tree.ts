/** A tree of files whose names and words repeat as those of real code do, and what the benches over one measure by. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const VERBS = 'read write parse find remove merge split sort load save'.split(' ')
const NOUNS = 'folder session token config buffer message event record column report vector label matrix window invoice'.split(' ')
export const verbOf = (number: number): string => VERBS[number % VERBS.length] ?? ''
export const nounOf = (number: number): string => NOUNS[Math.floor(number / VERBS.length) % NOUNS.length] ?? ''

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const p95 = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
