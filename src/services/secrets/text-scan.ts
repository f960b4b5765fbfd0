/** The `TextScan` port: one text after the other, within limits that are looked at before more is read. */

import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Discoveries, Discovery, TextScan, UnreadText, Watching } from '../../kernel/ports/texts.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Scanner } from './scanner.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

export interface TextScanOptions {
  readonly scanner: Scanner
  /** Texts scanned or left out. */
  readonly maxFiles: number
  /** Larger texts are left out, and counted. */
  readonly maxFileBytes: number
  readonly maxFindings: number
  /** Wall time, looked at between texts. */
  readonly timeoutMs: number
  readonly clock: Pick<Clock, 'ticks'>
}

const strict = new TextDecoder('utf-8', { fatal: true })

export const createTextScan = (options: TextScanOptions): TextScan => ({
  async scan(source, watching) {
    const work = new Scan(options, watching)
    for await (const text of source) {
      if (!(await work.take(text))) break
    }
    return work.result()
  },
})

/** One scan under way. */
class Scan {
  readonly #options: TextScanOptions
  readonly #watching: Watching
  readonly #deadline: number
  readonly #found: Discovery[] = []
  #truncated: Discoveries['truncated']
  #scanned = 0
  #skipped = 0

  constructor(options: TextScanOptions, watching: Watching) {
    this.#options = options
    this.#watching = watching
    this.#deadline = options.clock.ticks() + options.timeoutMs
  }

  /** @returns whether there is room for another. */
  async take(text: UnreadText): Promise<boolean> {
    await othersTurn()
    const { signal, progress } = this.#watching
    if (signal.aborted) throw stopReason(signal)
    const { maxFiles, clock } = this.#options
    if (!(this.#scanned + this.#skipped < maxFiles)) return this.#stop('files')
    if (!(clock.ticks() < this.#deadline)) return this.#stop('time')
    const content = await this.#contentOf(text)
    if (content === undefined) this.#skipped += 1
    else this.#scanned += 1
    const whole = content === undefined || this.#look(text.path, content)
    progress(this.#scanned + this.#skipped, undefined, `${this.#found.length} findings so far`)
    return whole
  }

  result(): Discoveries {
    return { found: this.#found, truncated: this.#truncated, filesScanned: this.#scanned, filesSkipped: this.#skipped }
  }

  #look(path: string, content: string): boolean {
    for (const { type, line, column, placeholder } of this.#options.scanner.scan(content)) {
      if (!(this.#found.length < this.#options.maxFindings)) return this.#stop('findings')
      this.#found.push({ path, line, column, type, placeholder })
    }
    return true
  }

  /** @returns undefined for what is too large, not UTF-8, or gone. */
  async #contentOf(text: UnreadText): Promise<string | undefined> {
    if (!(text.size <= this.#options.maxFileBytes)) return undefined
    try {
      return strict.decode(await text.read())
    } catch (error) {
      if (error instanceof TypeError || (error instanceof Refusal && error.code.startsWith('file.'))) return undefined
      throw error
    }
  }

  #stop(limit: NonNullable<Discoveries['truncated']>): false {
    this.#truncated = limit
    return false
  }
}
