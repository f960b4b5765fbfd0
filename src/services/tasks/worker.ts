/**
 * Does the work of tasks and fires timers while its process lives. Nothing here keeps a process alive, and what a
 * process leaves undone another takes up.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatch, Outcome } from '../../kernel/call.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { get } from '../../kernel/ports/store.ts'
import type { Questions, Replies } from '../../kernel/question.ts'
import { refusal, refusalText } from '../../kernel/refusal.ts'
import { evictOld } from './evict.ts'
import { claim, finish, hasFree, putOff, renew } from './leases.ts'
import type { Ending } from './leases.ts'
import { ask, repliesTo } from './questions.ts'
import type { Claim, KeptCaller } from './task-row.ts'
import type { TaskStore } from './task-store.ts'
import { fireDue, nextDue } from './timers.ts'

export interface Ways {
  readonly dispatch: Dispatch
  /** The caller that a task works for, made anew. */
  callerOf(kept: KeptCaller): Caller
}

export interface WorkerParts {
  readonly store: TaskStore
  readonly place: string
  readonly clock: Pick<Clock, 'now'>
  /** How long work is kept from others after the last sign of life. */
  readonly leaseMs: number
  /** Longest time between two looks at what others left. */
  readonly pollMs: number
  readonly onFault: (error: unknown) => void
}

/** Tasks that one process works on at once. */
const MAX_AT_ONCE = 4
/** Tasks that one process holds, those that wait for an answer included. */
const MAX_HELD = 64
/** How long an answer may take, and how often it is looked for. */
const [ASK_MS, ASK_POLL_MS] = [3_600_000, 200]
/** A start should not compete with its first calls, and a command that ends at once does no work of others. */
const FIRST_LOOK_MS = 300
/** Work nobody waits for may take this many times the time of a call. */
const PATIENCE = 30
/** How long work waits after a limit was in its way, and how often. */
const PUT_OFF_MS = 10_000
const MAX_WAITS = 60
const LIMITS: ReadonlySet<string> = new Set(['quota.spent', 'concurrency.full'])

interface Running {
  readonly claim: Claim
  readonly controller: AbortController
  readonly ended: Promise<void>
}

export class Worker {
  readonly #parts: WorkerParts
  readonly #running = new Map<string, Running>()
  #ways: Ways | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #again = false
  #isClosed = false
  /** Work that waits for an answer and not for this process. */
  #waiting = 0

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  begin(ways: Ways): void {
    this.#ways = ways
    this.#wait(FIRST_LOOK_MS)
  }

  /** Looks at once for what there is to do. */
  kick(): void {
    if (this.#ways === undefined || this.#isClosed) return
    this.#again = true
    this.#looking ??= this.#lookWhileAsked()
  }

  /** Stops work that runs here. */
  cancel(taskId: string): void {
    this.#running.get(taskId)?.controller.abort()
  }

  /** Stops looking, gives back what runs, and waits until that is written. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    for (const { controller } of this.#running.values()) controller.abort()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  async #lookWhileAsked(): Promise<void> {
    let waitMs = this.#parts.pollMs
    while (this.#again && !this.#isClosed) {
      this.#again = false
      try {
        waitMs = await this.#look()
      } catch (error) {
        this.#parts.onFault(error)
      }
    }
    this.#looking = undefined
    this.#wait(waitMs)
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.kick(), ms)
    this.#timer.unref()
  }

  /** @returns milliseconds until the next look. */
  async #look(): Promise<number> {
    const { store, clock, pollMs } = this.#parts
    if (!store.exists()) return pollMs
    await this.#renewAll()
    const nowMs = clock.now()
    const next = await store.use('read', nextDue)
    if ((next ?? Infinity) <= nowMs && (await store.use('write', () => fireDue(nowMs))) > 0) this.#again = true
    while (this.#running.size - this.#waiting < MAX_AT_ONCE && this.#running.size < MAX_HELD && !this.#isClosed && (await this.#takeOne()));
    const due = await store.use('read', nextDue)
    return due === undefined ? pollMs : Math.min(pollMs, Math.max(0, due - clock.now()))
  }

  async #renewAll(): Promise<void> {
    const { store, clock, leaseMs } = this.#parts
    if (this.#running.size === 0) return
    const running = [...this.#running.values()]
    const lost = await store.use('write', function* () {
      yield* evictOld(clock.now())
      const gone: Running[] = []
      for (const one of running) if (!(yield* renew(one.claim, clock.now() + leaseMs))) gone.push(one)
      return gone
    })
    for (const { controller } of lost) controller.abort()
  }

  async #takeOne(): Promise<boolean> {
    const { store, place, clock, leaseMs } = this.#parts
    const wanted = { place, nowMs: clock.now(), leaseMs }
    if (!(await store.use('read', () => hasFree(wanted)))) return false
    const taken = await store.use('write', () => claim(wanted))
    if (taken === undefined) return false
    const controller = new AbortController()
    const ended = this.#run(taken, controller.signal).catch(this.#parts.onFault).finally(() => {
      this.#running.delete(taken.id)
      this.kick()
    })
    this.#running.set(taken.id, { claim: taken, controller, ended })
    return true
  }

  async #run(taken: Claim, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts
    if (this.#ways === undefined) return
    const { dispatch, callerOf } = this.#ways
    const { capabilities } = taken.caller
    const outcome = await dispatch({ kind: 'tool', ...taken.work }, callerOf(taken.caller), {
      door: 'task', signal, patience: PATIENCE, ...(capabilities && { capabilities, ask: (questions) => this.#ask(taken, questions, signal) }),
    })
    // Cancelled work is cancelled in the store already; what a closing process stops is anybody's.
    if (signal.aborted) return void (await store.use('write', () => putOff(taken, clock.now())))
    if (outcome.is === 'refused' && LIMITS.has(outcome.refusal.code) && (await this.#waits(taken))) return
    await store.use('write', () => finish(taken, endingOf(outcome), clock.now()))
  }

  /** Shows questions to whoever polls, and waits for the answers. Meanwhile other work has this place. */
  async #ask(taken: Claim, questions: Questions, signal: AbortSignal): Promise<Replies> {
    const { store } = this.#parts
    await store.use('write', () => ask(taken, questions))
    this.#waiting += 1
    this.kick()
    try {
      const deadline = performance.now() + ASK_MS
      for (;;) {
        const replies = await store.use('read', () => repliesTo(taken, questions))
        if (replies !== undefined) return replies
        if (performance.now() > deadline) throw refusal('consent.unavailable')
        await pause(ASK_POLL_MS, undefined, { signal, ref: false })
      }
    } finally {
      this.#waiting -= 1
    }
  }

  /** Whether the work was put off because of a limit; not for ever. */
  #waits(taken: Claim): Promise<boolean> {
    const { store, clock } = this.#parts
    return store.use('write', function* () {
      const waited = Number((yield* get('SELECT waits FROM task WHERE id = ?', taken.id))?.['waits'] ?? MAX_WAITS)
      if (waited >= MAX_WAITS) return false
      yield* putOff(taken, clock.now() + PUT_OFF_MS)
      return true
    })
  }
}

function endingOf(outcome: Outcome): Ending {
  switch (outcome.is) {
    case 'ok':
      return { is: 'completed', answer: outcome.answer }
    case 'refused':
      return { is: 'failed', error: refusalText(outcome.refusal), isFault: false }
    case 'fault':
      return { is: 'failed', error: `internal error (incident ${outcome.incident})`, isFault: true }
    case 'ask':
    case 'task':
      return { is: 'failed', error: refusalText(refusal('consent.unavailable')), isFault: false }
  }
}
