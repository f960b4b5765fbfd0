/**
 * Keeps the code index of a workspace up to date: at once after something changed where folders can be watched, else
 * when it is asked and the last look is old. One look at a time, and nobody has to wait for it.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import type { IndexState } from '../../kernel/ports/workspace.ts'

/** One look at the whole tree. */
export interface TreeLook {
  readonly sources: AsyncIterable<CodeSource>
  /** Whether the tree has more files than were seen; known once the sources are through. */
  isCut(): boolean
}

export interface KeeperParts {
  readonly index: () => CodeIndex
  look(signal: AbortSignal): TreeLook
  /** Watches these folders of the tree, by path from its root. @returns whether it could. */
  watch?(folders: ReadonlySet<string>): boolean
  readonly clock: Pick<Clock, 'ticks'>
  /** How old a look may be where changes are not heard; a second by default. */
  readonly freshMs?: number
  /** How long after a look that failed the next one waits; it does not, by default. */
  readonly afterFaultMs?: number
  onFault(error: unknown): void
}

/** How old a look may be before the next question looks again: where changes are heard, and where not. */
const [HEARD_MS, UNHEARD_MS] = [30_000, 1_000]
const BEGIN_MS = 100

export class IndexKeeper {
  readonly #parts: KeeperParts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #lookedTicks: number | undefined
  /** When a look failed last. */
  #failedTicks = Number.NEGATIVE_INFINITY
  #isWatched = false
  #isDirty = false
  #isCut = false
  #hasFailed = false
  #asked: Promise<unknown> | undefined
  #waiting: NodeJS.Timeout | undefined

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Looks in a moment, so that whoever asks at once is answered before the work begins. */
  begin(): void {
    this.#waiting = setTimeout(() => void this.refresh(), BEGIN_MS)
    this.#waiting.unref()
  }

  /** Whether the first look is still to begin. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Something in the tree changed. */
  readonly noteChange = (): void => {
    this.#isDirty = true
  }

  /** Resolves when the index is as the tree is, and never rejects; undefined when there is nothing to wait for. */
  refresh(): Promise<void> | undefined {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    if (this.#running) return this.#running
    if (this.#stop.signal.aborted || this.#isFresh()) return undefined
    this.#running = this.#look().finally(() => void (this.#running = undefined))
    return this.#running
  }

  /** Whoever asks goes first: the look stands still while this is worked on, up to a bound for one look. */
  async before<T>(work: () => Promise<T>): Promise<T> {
    const mine = work()
    const all = Promise.allSettled([this.#asked, mine])
    this.#asked = all
    try {
      return await mine
    } finally {
      if (this.#asked === all) this.#asked = undefined
    }
  }

  /** Whether the tree was seen since this process began. */
  get hasLooked(): boolean {
    return this.#lookedTicks !== undefined
  }

  get state(): IndexState {
    if ((this.#running || this.#waiting) && this.#lookedTicks === undefined && this.#parts.index().freshness().updatedAtMs === null) return 'building'
    return this.#isCut || this.#hasFailed ? 'partial' : 'complete'
  }

  async close(): Promise<void> {
    clearTimeout(this.#waiting)
    this.#stop.abort()
    await this.#running
  }

  #isFresh(): boolean {
    const { clock, freshMs = UNHEARD_MS } = this.#parts
    if (clock.ticks() - this.#failedTicks < (this.#parts.afterFaultMs ?? 0)) return true
    if (this.#lookedTicks === undefined || this.#isDirty) return false
    return clock.ticks() - this.#lookedTicks < (this.#isWatched ? HEARD_MS : freshMs)
  }

  async #look(): Promise<void> {
    const { index, look, watch, clock, onFault } = this.#parts
    // Whatever changes from here on is for the next look.
    this.#isDirty = false
    const { signal } = this.#stop
    try {
      const folders = new Set<string>([''])
      const { sources, isCut } = look(signal)
      const { complete } = await index().update(noting(sources, folders, givesWay(() => this.#asked, clock)), { signal })
      if (signal.aborted) return
      this.#isCut = isCut()
      this.#hasFailed = !complete
      this.#isWatched = watch?.(folders) ?? false
      this.#lookedTicks = clock.ticks()
    } catch (error) {
      if (signal.aborted) return
      // Said once: the next look fails for the same reason, most likely.
      if (!this.#hasFailed) onFault(error)
      this.#hasFailed = true
      this.#failedTicks = clock.ticks()
    }
  }
}

/** How long one look stands still for questions, all together: who asks without end must not keep it from its end. */
const GIVES_WAY_MS = 3_000

function givesWay(asked: () => Promise<unknown> | undefined, clock: Pick<Clock, 'ticks'>): () => Promise<void> {
  let leftMs = GIVES_WAY_MS
  return async () => {
    const question = leftMs > 0 ? asked() : undefined
    if (!question) return
    const from = clock.ticks()
    await question
    leftMs -= clock.ticks() - from
  }
}

/** Passes sources on while nothing is more urgent, and notes every folder on the way to them. */
async function* noting(sources: AsyncIterable<CodeSource>, folders: Set<string>, urgent: () => Promise<void>): AsyncGenerator<CodeSource> {
  for await (const source of sources) {
    await urgent()
    for (let at = source.path.lastIndexOf('/'); at > 0; at = source.path.lastIndexOf('/', at - 1)) {
      const folder = source.path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
    yield source
  }
}
