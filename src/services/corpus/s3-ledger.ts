/**
 * What the corpus holds, in one object beside the documents, so that a write need not list them. It changes only from
 * a state that its writer has seen (compare and swap by ETag). A write holds its path and its bytes before it touches
 * the document, and settles afterwards; a hold that outlived its writer is judged by what stands there.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../exits/random.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { Condition, S3Objects } from './s3-objects.ts'

export interface Hold {
  /** Of the write. */
  readonly id: string
  /** Bytes that stand there, and that will. */
  readonly before: number
  readonly after: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly untilMs: number
}

/** The object's own content. */
export interface LedgerState {
  readonly used: number
  readonly countedMs: number
  readonly holds: Readonly<Record<string, Hold>>
}

export interface S3Ledger {
  /**
   * Changes the state; what `change` throws is thrown, and changes nothing. It may be asked again.
   * @throws Refusal `corpus.unavailable`.
   */
  change(change: (state: LedgerState) => LedgerState): Promise<LedgerState>
}

export interface S3LedgerOptions {
  readonly objects: S3Objects
  readonly key: string
  /** Adds up what is there, for a ledger that is missing or old. */
  readonly count: () => Promise<LedgerState>
  /** Whether it is time to count anew. */
  readonly isOld: (state: LedgerState) => boolean
}

interface Waiting {
  readonly change: (state: LedgerState) => LedgerState
  resolve(state: LedgerState): void
  reject(error: unknown): void
}

interface Known {
  readonly state: LedgerState
  readonly when: Condition
}

const MAX_BYTES = 4_000_000
const DEADLINE_MS = 30_000
const PAUSE_MS = 40

/** Changes of one process travel together. */
export function createS3Ledger(options: S3LedgerOptions): S3Ledger {
  const { objects, key, count, isOld } = options
  let known: Known | undefined
  let waiting: Waiting[] = []
  let working = false

  const look = async (): Promise<Known> => {
    const found = await objects.get(key, { maxBytes: MAX_BYTES })
    if (found === undefined || found === 'unchanged') return { state: await count(), when: { absent: true } }
    const state = parse(found.bytes)
    if (state && !(isOld(state) && Object.keys(state.holds).length === 0)) return { state, when: { etag: found.etag } }
    return { state: await count(), when: { etag: found.etag } }
  }

  /** @returns whether the new state stands. */
  const swap = async (state: LedgerState, when: Condition): Promise<boolean> => {
    const writeId = newId()
    const bytes = new TextEncoder().encode(JSON.stringify(state))
    known = undefined
    const etag = await objects.put(key, bytes, { when, writeId }).catch(async (error: unknown) => {
      // Nobody told whether it was written; whoever reads it can tell.
      const found = await objects.head(key)
      if (found?.writeId === writeId) return found.etag
      throw error
    })
    if (etag === false) return false
    known = { state, when: { etag } }
    return true
  }

  const work = async (): Promise<void> => {
    const deadline = performance.now() + DEADLINE_MS
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await settle(batch, deadline)
      } catch (error) {
        for (const one of batch) one.reject(error)
      }
    }
    working = false
  }

  const settle = async (batch: readonly Waiting[], deadline: number): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      const { state: first, when } = known && !isOld(known.state) ? known : await look()
      const [state, done, failed] = applied(first, batch)
      // Where all failed or nothing changed, what was seen must still be true to be an answer.
      if (state === first && known === undefined && 'etag' in when) return answer(state, done, failed)
      if (await swap(state, when)) return answer(state, done, failed)
      if (performance.now() > deadline) throw refusal('corpus.unavailable', 'too many write at once; try again', 'contention')
      await pause(PAUSE_MS * Math.random() * Math.min(8, tries + 1))
    }
  }

  return {
    change: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject })
        if (working) return
        working = true
        void work()
      }),
  }
}

type Failed = readonly [one: Waiting, error: unknown]

function applied(first: LedgerState, batch: readonly Waiting[]): readonly [LedgerState, readonly Waiting[], readonly Failed[]] {
  const [done, failed]: [Waiting[], Failed[]] = [[], []]
  let state = first
  for (const one of batch) {
    try {
      state = one.change(state)
      done.push(one)
    } catch (error) {
      failed.push([one, error])
    }
  }
  return [state, done, failed]
}

function answer(state: LedgerState, done: readonly Waiting[], failed: readonly Failed[]): void {
  for (const one of done) one.resolve(state)
  for (const [one, error] of failed) one.reject(error)
}

/** Undefined for what is no ledger: it is counted anew, and written over. */
function parse(bytes: Uint8Array): LedgerState | undefined {
  try {
    const { used, countedMs, holds } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<LedgerState>
    return typeof used === 'number' && typeof countedMs === 'number' && typeof holds === 'object' && holds !== null ? { used, countedMs, holds } : undefined
  } catch (error) {
    if (error instanceof Refusal) throw error
    return undefined
  }
}
