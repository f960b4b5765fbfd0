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
  onFault(error: unknown): void
}

/** How old a look may be before the next question looks again: where changes are heard, and where not. */
const [HEARD_MS, UNHEARD_MS] = [30_000, 1_000]

export class IndexKeeper {
  readonly #parts: KeeperParts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #lookedTicks: number | undefined
  #isWatched = false
  #isDirty = false
  #isCut = false
  #hasFailed = false

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Something in the tree changed. */
  readonly noteChange = (): void => {
    this.#isDirty = true
  }

  /** Resolves when the index is as the tree is, and never rejects; undefined when there is nothing to wait for. */
  refresh(): Promise<void> | undefined {
    if (this.#running) return this.#running
    if (this.#stop.signal.aborted || this.#isFresh()) return undefined
    this.#running = this.#look().finally(() => void (this.#running = undefined))
    return this.#running
  }

  get state(): IndexState {
    if (this.#running && this.#lookedTicks === undefined && this.#parts.index().freshness().updatedAtMs === null) return 'building'
    return this.#isCut || this.#hasFailed ? 'partial' : 'complete'
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  #isFresh(): boolean {
    if (this.#lookedTicks === undefined || this.#isDirty) return false
    return this.#parts.clock.ticks() - this.#lookedTicks < (this.#isWatched ? HEARD_MS : UNHEARD_MS)
  }

  async #look(): Promise<void> {
    const { index, look, watch, clock, onFault } = this.#parts
    // Whatever changes from here on is for the next look.
    this.#isDirty = false
    const { signal } = this.#stop
    try {
      const folders = new Set<string>([''])
      const { sources, isCut } = look(signal)
      const { complete } = await index().update(noting(sources, folders), { signal })
      if (signal.aborted) return
      this.#isCut = isCut()
      this.#hasFailed = !complete
      this.#isWatched = watch?.(folders) ?? false
      this.#lookedTicks = clock.ticks()
    } catch (error) {
      if (signal.aborted) return
      this.#hasFailed = true
      onFault(error)
    }
  }
}

/** Passes sources on, and notes every folder on the way to them. */
async function* noting(sources: AsyncIterable<CodeSource>, folders: Set<string>): AsyncGenerator<CodeSource> {
  for await (const source of sources) {
    for (let at = source.path.lastIndexOf('/'); at > 0; at = source.path.lastIndexOf('/', at - 1)) {
      const folder = source.path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
    yield source
  }
}
