/**
 * Writes within a quota that many replicas share: hold the path and the bytes, write under a condition, settle. Of two
 * writers one wins by the store's own comparison; the sum is exact whoever is killed between two steps.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../exits/random.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { WriteMode } from '../../kernel/ports/corpus.ts'
import { refusal } from '../../kernel/refusal.ts'
import { createS3Ledger } from './s3-ledger.ts'
import type { Hold, LedgerState } from './s3-ledger.ts'
import type { S3Objects } from './s3-objects.ts'
import { checkGoingOn } from './write-lock.ts'

export interface S3WritesParts {
  readonly objects: S3Objects
  readonly clock: Pick<Clock, 'now'>
  readonly quotaBytes: number
  /** Says which objects count as documents; each rule has a ledger of its own. */
  readonly rule: string
  /** Every document there is. */
  readonly sizes: () => AsyncIterable<{ readonly size: number }>
}

export interface S3Draft {
  readonly key: string
  readonly bytes: Uint8Array
  readonly mode: WriteMode
  /** What stands there, if it may be replaced. */
  readonly seen: () => Promise<{ readonly etag: string; readonly size: number } | undefined>
}

export interface S3Writes {
  /** @returns whether something was replaced. @throws Refusal as `Corpus.write` does. */
  write(draft: S3Draft): Promise<boolean>
  used(): Promise<number>
}

/** Far beyond the time that a request may take: a hold this old belongs to nobody. */
const HOLD_MS = 60_000
/** What must be left of it for a write to begin. */
const LEFT_MS = 30_000
const RECOUNT_MS = 3_600_000
const [DEADLINE_MS, PAUSE_MS] = [30_000, 50]
/** Holds at once; each is a path of some length in one small object. */
const MAX_HOLDS = 1_000

class Taken extends Error {
  readonly hold: Hold | undefined

  constructor(hold?: Hold) {
    super('the path is being written')
    this.hold = hold
  }
}

export function createS3Writes({ objects, clock, quotaBytes, rule, sizes }: S3WritesParts): S3Writes {
  const count = async (): Promise<LedgerState> => {
    const countedMs = clock.now()
    let used = 0
    for await (const { size } of sizes()) used += size
    return { used, countedMs, holds: {} }
  }
  const ledger = createS3Ledger({
    objects, count, key: `.arrowhead-ledger-${createHash('sha256').update(rule).digest('hex').slice(0, 16)}`,
    isOld: ({ countedMs }) => clock.now() - countedMs > RECOUNT_MS || countedMs > clock.now() + RECOUNT_MS,
  })

  const hold = (key: string, mine: Hold): Promise<LedgerState> =>
    ledger.change((state) => {
      const other = own(state.holds, key)
      if (other !== undefined && other.id !== mine.id) throw new Taken(other)
      if (Object.keys(state.holds).length >= MAX_HOLDS) throw new Taken()
      const held = Object.entries(state.holds).reduce((sum, [path, one]) => (path === key ? sum : sum + growth(one)), 0)
      if (!(state.used + held + mine.after - mine.before <= quotaBytes)) throw refusal('corpus.full', 'write a smaller document, or ask the operator for room')
      return { ...state, holds: { ...state.holds, [key]: mine } }
    })

  /** Ends a hold. Whoever comes second finds it gone and changes nothing. */
  const settle = (key: string, { id, before, after }: Hold, isWritten: boolean): Promise<LedgerState> =>
    ledger.change((state) => {
      if (own(state.holds, key)?.id !== id) return state
      const { [key]: _mine, ...holds } = state.holds
      return { ...state, used: Math.max(0, state.used + (isWritten ? after - before : 0)), holds }
    })

  const standsThere = async (key: string, id: string): Promise<boolean> => (await objects.head(key))?.writeId === id

  const settleOld = async (key: string, old: Hold | undefined): Promise<void> => {
    if (old !== undefined && old.untilMs <= clock.now()) await settle(key, old, await standsThere(key, old.id))
    else await pause(PAUSE_MS * (0.5 + Math.random()))
  }

  /** @returns undefined where something else was written there meanwhile. */
  const attempt = async ({ key, bytes, mode, seen }: S3Draft): Promise<boolean | undefined> => {
    const before = await seen()
    const mine: Hold = { id: newId(), before: before?.size ?? 0, after: bytes.length, untilMs: clock.now() + HOLD_MS }
    await hold(key, mine)
    if (mode.signal?.aborted === true || mine.untilMs - clock.now() < LEFT_MS) {
      await settle(key, mine, false)
      checkGoingOn(mode.signal)
      throw refusal('corpus.unavailable', 'try again', 'slow')
    }
    // Where this throws nobody knows what will stand there, so the hold stays, and is judged when its time is over.
    const isWritten = await put(key, bytes, { when: before ? { etag: before.etag } : { absent: true }, id: mine.id })
    await settle(key, mine, isWritten)
    if (isWritten) return before !== undefined
    if (!mode.overwrite) throw refusal('file.exists')
    if (mode.ifSha256 !== undefined) throw refusal('file.changed')
    return undefined
  }

  const put = async (key: string, bytes: Uint8Array, { when, id }: { readonly when: { etag: string } | { absent: true }; readonly id: string }): Promise<boolean> => {
    try {
      return (await objects.put(key, bytes, { when, writeId: id })) !== false
    } catch (error) {
      if (await standsThere(key, id)) return true
      throw error
    }
  }

  return {
    async write(draft) {
      const deadline = performance.now() + DEADLINE_MS
      for (;;) {
        checkGoingOn(draft.mode.signal)
        try {
          const replaced = await attempt(draft)
          if (replaced !== undefined) return replaced
        } catch (error) {
          if (!(error instanceof Taken)) throw error
          await settleOld(draft.key, error.hold)
        }
        if (performance.now() > deadline) throw refusal('corpus.unavailable', 'too many write at once; try again', 'contention')
      }
    },
    async used() {
      const { holds, used } = await ledger.change((state) => state)
      const old = Object.entries(holds).filter(([, one]) => one.untilMs <= clock.now())
      if (old.length === 0) return used
      for (const [key, one] of old) await settleOld(key, one)
      return (await ledger.change((state) => state)).used
    },
  }
}

/** What a hold may add; what it may free is free only when it is settled. */
const growth = ({ before, after }: Hold): number => Math.max(0, after - before)

const own = (holds: LedgerState['holds'], key: string): Hold | undefined => (Object.hasOwn(holds, key) ? holds[key] : undefined)
