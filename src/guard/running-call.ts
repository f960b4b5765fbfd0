/** A call while it runs. Its abort signal is made only when somebody looks at it. */

import type { Arrival, Call, Component } from '../kernel/call.ts'
import type { Caller } from '../kernel/caller.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Fields } from '../kernel/schema.ts'
import type { Level } from '../kernel/tool.ts'

const NOTHING: Fields = Object.freeze({})

export interface CallParts {
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

  /** Why the call was stopped, if it was. */
  get stopped(): Refusal | undefined {
    return this.#stopped
  }

  progress(done: number, total?: number, message?: string): void {
    if (!this.#stopped) this.arrival.progress?.(done, total, message)
  }

  stop(why: Refusal): void {
    if (this.#stopped) return
    this.#stopped = why
    this.#controller?.abort(why)
    this.#reject?.(why)
  }

  /** The work's result, unless the call is stopped first. Work that ignores its signal is left behind. */
  settle<T>(work: T | Promise<T>): T | Promise<T> {
    if (!(work instanceof Promise)) return work
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject
      if (this.#stopped) reject(this.#stopped)
      work.then(resolve, reject)
    })
  }

  /** Lets go of the arrival's signal, which may outlive the call. */
  end(): void {
    this.arrival.signal?.removeEventListener('abort', this.#onAbort)
    this.#reject = undefined
    this.#ended = true
  }
}
