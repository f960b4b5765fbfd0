/** The `Symbols` port over one parsing thread, which starts with the first file and is replaced when it fails. */

import { Worker } from 'node:worker_threads'
import type { Language, Outline, Symbols } from '../../kernel/ports/symbols.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Answer, Job } from './jobs.ts'
import { languageOf } from './languages.ts'
import { headingsOf } from './markdown.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

export interface SymbolsOptions {
  /** For one file; two seconds by default. */
  readonly deadlineMs?: number
  /** Beyond the deadline, until a thread that does not answer is ended. */
  readonly graceMs?: number
  /** The thread is let go when nobody asked for so long. */
  readonly idleMs?: number
}

interface Waiting {
  readonly job: Job
  readonly done: (outline: Outline) => void
  readonly fail: (why: unknown) => void
  readonly signal: AbortSignal | undefined
}

const DEADLINE_MS = 2_000
const GRACE_MS = 3_000
const IDLE_MS = 60_000
/** Loading the parser and a grammar is not a file's fault. */
const FIRST_MS = 20_000
/** A grammar takes memory by itself, deep trees take more. */
const MEMORY = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 }

class ParsingThread implements Symbols {
  readonly #options: Required<SymbolsOptions>
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #isBusy = false
  #isWarm = false
  #nextId = 1
  #isClosed = false

  constructor({ deadlineMs = DEADLINE_MS, graceMs = GRACE_MS, idleMs = IDLE_MS }: SymbolsOptions) {
    this.#options = { deadlineMs, graceMs, idleMs }
  }

  languageOf(path: string): Language | undefined {
    return languageOf(path)
  }

  async declarationsOf(text: string, language: Language, signal?: AbortSignal): Promise<Outline> {
    if (language === 'markdown') return { declarations: headingsOf(text) }
    if (this.#isClosed) throw new TypeError('the parser is closed')
    return new Promise((done, fail) => {
      const job: Job = { id: this.#nextId++, text, language, deadlineMs: this.#options.deadlineMs }
      this.#waiting.push({ job, done, fail, signal })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { fail } of this.#waiting.splice(0)) fail(refusal('call.cancelled'))
    await this.#worker?.terminate()
  }

  /** One file at a time is with the thread: so it is known which one it hangs on. */
  #next(): void {
    if (this.#isBusy) return
    const first = this.#waiting[0]
    if (first?.signal?.aborted === true) {
      this.#waiting.shift()
      first.fail(stopReason(first.signal))
      return this.#next()
    }
    clearTimeout(this.#timer)
    if (first === undefined) {
      this.#timer = setTimeout(() => this.#letGo(), this.#options.idleMs).unref()
      this.#worker?.unref()
      return
    }
    this.#isBusy = true
    this.#worker ??= this.#start()
    this.#worker.ref()
    const { deadlineMs, graceMs } = this.#options
    this.#timer = setTimeout(() => this.#settle({ declarations: [], problem: 'time' }, true), deadlineMs + graceMs + (this.#isWarm ? 0 : FIRST_MS))
    this.#worker.postMessage(first.job)
  }

  #start(): Worker {
    this.#isWarm = false
    const worker = new Worker(new URL('./parse-worker.js', import.meta.url), { resourceLimits: MEMORY, env: {}, stdin: false })
    worker.on('message', ({ id, declarations, problem }: Answer) => {
      if (worker !== this.#worker || id !== this.#waiting[0]?.job.id) return
      this.#isWarm = true
      this.#settle({ declarations, ...(problem && { problem }) }, problem === 'syntax')
    })
    const failed = (): void => {
      if (worker === this.#worker) this.#settle({ declarations: [], problem: 'syntax' }, true)
    }
    worker.on('error', failed)
    worker.on('exit', failed)
    return worker
  }

  /** @param isLost whether the thread cannot be used again. */
  #settle(outline: Outline, isLost: boolean): void {
    clearTimeout(this.#timer)
    if (isLost) this.#letGo()
    if (this.#isBusy) this.#waiting.shift()?.done(outline)
    this.#isBusy = false
    this.#next()
  }

  #letGo(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

/** Starts nothing before the first file. */
export const createSymbols = (options: SymbolsOptions = {}): Symbols => new ParsingThread(options)
