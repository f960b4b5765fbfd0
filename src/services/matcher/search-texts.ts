/**
 * Searches one document after the other within limits, each of which is checked before more is read. Long
 * searches leave the event loop to others every few milliseconds, tell how far they are, and can be cancelled.
 */

import { isUtf8 } from 'node:buffer'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { systemClock } from '../../exits/clock.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { UnreadText } from '../../kernel/ports/texts.ts'
import type { Hit, Matcher } from './matcher-port.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

export interface SearchLimits {
  /** Documents searched or left out; whether there is another is asked of the source, but it is not read. */
  readonly maxFiles: number
  /** Larger documents are left out. */
  readonly maxFileBytes: number
  /** Bytes of all documents together; the one that would go beyond ends the search unread. */
  readonly maxReadBytes: number
  readonly maxResults: number
  /** UTF-8 bytes of all snippets together; the one that would go beyond ends the search. */
  readonly maxSnippetBytes: number
  /** Wall time, looked at between documents and at least every few lines. */
  readonly timeoutMs: number
}

export interface SearchProgress {
  readonly filesSeen: number
  readonly bytesRead: number
  readonly results: number
}

export interface SearchOptions {
  readonly limits: SearchLimits
  readonly signal?: AbortSignal
  /** Called now and then while a search lasts, the first time after a quarter of a second. */
  readonly onProgress?: (progress: SearchProgress) => void
  readonly clock?: Pick<Clock, 'ticks'>
}

export interface SearchMatch extends Hit {
  readonly path: string
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[]
  /** The limit that ended the search, when one did: there is more to search, or for `results` there may be. */
  readonly truncated: 'files' | 'bytes' | 'results' | 'snippets' | 'time' | undefined
  readonly filesSeen: number
  /** Seen and not searched: too large, not UTF-8, or gone. */
  readonly filesSkipped: number
  readonly bytesRead: number
  /** Lines so long that their ends were not searched. */
  readonly linesCut: number
}

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 8
const PROGRESS_MS = 250

/** One search under way. */
class Search {
  readonly #matcher: Matcher
  readonly #options: SearchOptions
  readonly #clock: Pick<Clock, 'ticks'>
  readonly #deadline: number
  readonly #matches: SearchMatch[] = []
  #truncated: SearchResult['truncated']
  #filesSeen = 0
  #filesSkipped = 0
  #bytesRead = 0
  #linesCut = 0
  #snippetBytes = 0
  #sliceEnd: number
  #progressAt: number

  constructor(matcher: Matcher, options: SearchOptions) {
    this.#matcher = matcher
    this.#options = options
    this.#clock = options.clock ?? systemClock
    const now = this.#clock.ticks()
    this.#deadline = now + options.limits.timeoutMs
    this.#sliceEnd = now + SLICE_MS
    this.#progressAt = now + PROGRESS_MS
  }

  /** Whether another document may be taken from the source. @throws Refusal `call.cancelled`, or the signal's own. */
  mayGoOn(): boolean {
    const { limits } = this.#options
    this.#checkSignal()
    if (this.#truncated !== undefined) return false
    if (!(this.#matches.length < limits.maxResults)) return this.#stop('results')
    return this.#clock.ticks() < this.#deadline || this.#stop('time')
  }

  async take(text: UnreadText): Promise<void> {
    const now = this.#clock.ticks()
    if (now >= this.#sliceEnd) await this.#breathe(now)
    const { maxFiles, maxFileBytes, maxReadBytes } = this.#options.limits
    if (!(this.#filesSeen < maxFiles)) return void this.#stop('files')
    this.#filesSeen += 1
    if (!(text.size <= maxFileBytes)) this.#filesSkipped += 1
    else if (!(this.#bytesRead + text.size <= maxReadBytes)) this.#stop('bytes')
    else await this.#searchIn(text)
  }

  result(): SearchResult {
    return {
      matches: this.#matches,
      truncated: this.#truncated,
      filesSeen: this.#filesSeen,
      filesSkipped: this.#filesSkipped,
      bytesRead: this.#bytesRead,
      linesCut: this.#linesCut,
    }
  }

  async #searchIn(text: UnreadText): Promise<void> {
    const got = readable(text)
    // Waiting for what is there already would cost more than reading it did.
    const bytes = got instanceof Promise ? await got.catch(unlessMissing) : got
    this.#bytesRead += bytes?.length ?? 0
    if (bytes === undefined || !isUtf8(bytes)) {
      this.#filesSkipped += 1
      return
    }
    for (const step of this.#matcher.search(bytes)) {
      if (step === 'long-line') this.#linesCut += 1
      else if (step !== 'pause' && !this.#keep(text.path, step)) return
      const now = this.#clock.ticks()
      if (!(now < this.#deadline)) return void this.#stop('time')
      if (now >= this.#sliceEnd) await this.#breathe(now)
    }
  }

  /** @returns whether there is room for another. */
  #keep(path: string, hit: Hit): boolean {
    const { maxResults, maxSnippetBytes } = this.#options.limits
    this.#snippetBytes += Buffer.byteLength(hit.snippet)
    if (!(this.#snippetBytes <= maxSnippetBytes)) return this.#stop('snippets')
    this.#matches.push({ path, ...hit })
    return this.#matches.length < maxResults || this.#stop('results')
  }

  #stop(limit: NonNullable<SearchResult['truncated']>): false {
    this.#truncated ??= limit
    return false
  }

  #checkSignal(): void {
    const { signal } = this.#options
    if (signal?.aborted !== true) return
    throw stopReason(signal)
  }

  async #breathe(now: number): Promise<void> {
    if (now >= this.#progressAt) {
      this.#progressAt = now + PROGRESS_MS
      const results = this.#matches.length
      this.#options.onProgress?.({ filesSeen: this.#filesSeen, bytesRead: this.#bytesRead, results })
    }
    await othersTurn()
    this.#checkSignal()
    this.#sliceEnd = this.#clock.ticks() + SLICE_MS
  }
}

/** @returns undefined for a document that cannot be had. */
const unlessMissing = (error: unknown): undefined => {
  if (error instanceof Refusal && error.code.startsWith('file.')) return undefined
  throw error
}

const readable = (text: UnreadText): Uint8Array | undefined | Promise<Uint8Array> => {
  try {
    return text.read()
  } catch (error) {
    return unlessMissing(error)
  }
}

/**
 * Takes documents from the source in its order, for as long as the limits allow, and closes it at the end.
 * What the source leaves out, such as documents that the caller may not read, is counted nowhere.
 * @throws Refusal `call.cancelled`, or the one that the signal carries.
 */
export const searchTexts = async (
  source: AsyncIterable<UnreadText>, matcher: Matcher, options: SearchOptions,
): Promise<SearchResult> => {
  const search = new Search(matcher, options)
  const texts = source[Symbol.asyncIterator]()
  try {
    while (search.mayGoOn()) {
      const { done, value } = await texts.next()
      if (done === true) break
      await search.take(value)
    }
  } finally {
    await texts.return?.()
  }
  return search.result()
}
