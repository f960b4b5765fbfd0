/** A call while it runs. Its abort signal is made only when somebody looks at it. */

import type { Authorizer } from '../kernel/authorizer.ts'
import type { Arrival, Call, Carried, Component, Deadlines, Lease } from '../kernel/call.ts'
import type { Caller } from '../kernel/caller.ts'
import { HandOver } from '../kernel/hand-over.ts'
import type { Panel } from '../kernel/panel.ts'
import { TASKS_EXTENSION } from '../kernel/ports/tasks.ts'
import { Ask, lacking } from '../kernel/question.ts'
import type { Questions, Replies } from '../kernel/question.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Fields } from '../kernel/schema.ts'
import type { Level } from '../kernel/tool.ts'

const NOTHING: Fields = Object.freeze({})

/** A list, not an array: the first two of an array cost a call the room of seventeen. */
interface Held {
  readonly lease: Lease
  readonly before: Held | undefined
}

export interface CallParts {
  /** Says what the caller may do that the input did not name. */
  readonly authorizer: Pick<Authorizer, 'allows' | 'reaches'>
  readonly id: string
  readonly component: Component
  readonly caller: Caller
  readonly arrival: Arrival
  readonly raw: unknown
  readonly hidden: string
  readonly startedTicks: number
}

export class RunningCall implements Call {
  readonly id: string
  readonly component: Component
  readonly caller: Caller
  readonly arrival: Arrival
  readonly raw: unknown
  readonly hidden: string
  readonly startedTicks: number
  input: Fields = NOTHING
  level: Level
  agreedTo: string | undefined
  confirmed = false
  resumed = false
  state: Fields = NOTHING
  readonly #authorizer: CallParts['authorizer']
  /** What it holds, the newest first. */
  #held: Held | undefined
  #deadlines: Deadlines | undefined
  #replies: Replies = NOTHING
  #round = 0
  /** Ticks that a person, not the work, took so far; and since when one is being waited for. */
  #waitedTicks = 0
  #waitingSince: number | undefined
  #controller: AbortController | undefined
  #stopped: Refusal | undefined
  #reject: ((why: Refusal) => void) | undefined
  #ended = false
  // A door may tell of a caller's leaving long after the answer was given.
  readonly #onAbort = (): void => {
    if (!this.#ended) this.stop(refusal('call.cancelled'))
  }

  constructor(parts: CallParts) {
    this.id = parts.id
    this.component = parts.component
    this.caller = parts.caller
    this.arrival = parts.arrival
    this.raw = parts.raw
    this.hidden = parts.hidden
    this.startedTicks = parts.startedTicks
    this.#authorizer = parts.authorizer
    this.level = parts.component.level
    const { signal } = parts.arrival
    if (signal?.aborted) this.#onAbort()
    else signal?.addEventListener('abort', this.#onAbort, { once: true })
    parts.arrival.onGone?.(this.#onAbort)
  }

  get subject(): string {
    return this.caller.subject
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#stopped) this.#controller.abort(this.#stopped)
    return this.#controller.signal
  }

  get run(): string {
    return this.arrival.run ?? this.arrival.errand?.id ?? this.id
  }

  /** Why the call was stopped, if it was. */
  get stopped(): Refusal | undefined {
    return this.#stopped
  }

  // Tools take these apart from the context, so each is bound; a getter binds only what is really taken.
  get progress(): Call['progress'] {
    return (done, total, message) => {
      if (!this.#stopped) this.arrival.progress?.(done, total, message)
    }
  }

  get tell(): Call['tell'] {
    return (method, params) => {
      if (!this.#stopped) this.arrival.tell?.(method, params)
    }
  }

  get ask(): Call['ask'] {
    return (questions, state = this.state) => {
      if (Object.keys(questions).every((name) => Object.hasOwn(this.#replies, name))) return this.#replies
      throw new Ask(questions, state)
    }
  }

  get may(): Call['may'] {
    return (access) => this.#authorizer.allows(this.caller, access)
  }

  get mayBelow(): Call['mayBelow'] {
    return (access) => this.#authorizer.reaches?.(this.caller, access) ?? true
  }

  get isTask(): boolean {
    return this.arrival.door === 'task'
  }

  get handOver(): Call['handOver'] {
    return async (tasks, work) => {
      const { capabilities, takesQuestions } = this.arrival
      // An answer that is none needs the era that has such answers, as questions do.
      if (this.isTask || takesQuestions !== true || capabilities?.extensions?.[TASKS_EXTENSION] === undefined) return
      throw new HandOver(await tasks.start(this.caller, { ...work, capabilities }))
    }
  }

  get canAsk(): Call['canAsk'] {
    return (question) => lacking({ question }, this.arrival.capabilities) === undefined
  }

  /** Answers that came: the next run has them. */
  resume(replies: Replies, state: Fields, round = this.#round + 1): void {
    this.#replies = { ...this.#replies, ...replies }
    this.state = state
    this.#round = round
  }

  carry({ questions, state }: Ask): Carried {
    return { state, replies: this.#replies, open: Object.keys(questions), round: this.#round + 1 }
  }

  /** Waits for whoever answers. Their time is not the call's. */
  async wait(questions: Questions, ticks: () => number, panel?: Panel): Promise<Replies> {
    if (!this.arrival.ask) throw new Ask(questions, this.state)
    this.#waitingSince = ticks()
    try {
      return await this.settle(this.arrival.ask(questions, panel))
    } finally {
      this.#waitedTicks += ticks() - this.#waitingSince
      this.#waitingSince = undefined
    }
  }

  /** Ticks that the call itself has taken. */
  worked(now: number): number {
    return (this.#waitingSince ?? now) - this.startedTicks - this.#waitedTicks
  }

  watchedBy(deadlines: Deadlines): void {
    this.#deadlines = deadlines
  }

  stop(why: Refusal): void {
    if (this.#stopped) return
    this.#stopped = why
    this.#controller?.abort(why)
    this.#reject?.(why)
  }

  /** The work's result, unless the call is stopped first. Work that ignores its signal is left behind. */
  settle<T>(work: Promise<T>): Promise<T> {
    if (this.#deadlines) this.hold(this.#deadlines.watch(this))
    this.#deadlines = undefined
    const outer = this.#reject
    return new Promise<T>((resolve, reject) => {
      // Waits may nest: a stop reaches all of them.
      this.#reject = (why) => {
        reject(why)
        outer?.(why)
      }
      if (this.#stopped) reject(this.#stopped)
      work.then(resolve, reject)
    }).finally(() => void (this.#reject = outer))
  }

  /** Keeps something until the end of the call. */
  hold(lease: Lease): void {
    this.#held = { lease, before: this.#held }
  }

  /** Gives back what it holds, last first, and lets go of the arrival's signal, which may outlive the call. */
  end(): void {
    for (let held = this.#held; held !== undefined; held = held.before) held.lease.release()
    this.#held = undefined
    this.arrival.signal?.removeEventListener('abort', this.#onAbort)
    this.#reject = undefined
    this.#ended = true
  }
}
