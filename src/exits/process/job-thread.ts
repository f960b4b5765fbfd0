/**
 * A thread that takes one job after the other, each with a deadline. It starts with the first job, is let go when
 * nobody asks, and is replaced when it hangs or fails, so that a hostile job costs its own caller and nobody else.
 */

import { parentPort } from 'node:worker_threads'
import type { Worker } from 'node:worker_threads'
import { refusal } from '../../kernel/refusal.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

export interface JobThreadOptions {
  start(): Worker
  /** For one job, in milliseconds. */
  readonly deadlineMs: number
  /** What loading takes is no job's fault: added to the deadline until the first answer. @default 20,000 */
  readonly firstMs?: number
  /** The thread is let go when nobody asked for so long. @default 60,000 */
  readonly idleMs?: number
}

/** What a job came to where it has no answer: it took too long, or the thread broke over it. */
export class JobFailed extends Error {
  readonly how: 'time' | 'broken'

  constructor(how: 'time' | 'broken') {
    super(`the job failed: ${how}`)
    this.how = how
  }
}

export interface JobThread<Job, Result> {
  /** Rejects with `JobFailed`, or with the reason of a signal that aborted before the job began. */
  run(job: Job, signal?: AbortSignal): Promise<Result>
  close(): Promise<void>
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly signal: AbortSignal | undefined
  readonly done: (result: Result) => void
  readonly fail: (why: unknown) => void
}

type Reply<Result> = { readonly id: number } & ({ readonly result: Result } | { readonly broken: true })

const FIRST_MS = 20_000
const IDLE_MS = 60_000

class QueueToThread<Job, Result> implements JobThread<Job, Result> {
  readonly #options: Required<JobThreadOptions>
  readonly #waiting: Waiting<Job, Result>[] = []
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #isBusy = false
  #isWarm = false
  #id = 0
  #isClosed = false

  constructor(options: JobThreadOptions) {
    this.#options = { firstMs: FIRST_MS, idleMs: IDLE_MS, ...options }
  }

  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    if (this.#isClosed) throw new TypeError('the thread is closed')
    return new Promise((done, fail) => {
      this.#waiting.push({ job, signal, done, fail })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { fail } of this.#waiting.splice(0)) fail(refusal('call.cancelled'))
    await this.#worker?.terminate()
  }

  /** One job at a time is with the thread: so it is known which one it hangs on. */
  #next(): void {
    if (this.#isBusy || this.#isClosed) return
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
    this.#timer = setTimeout(() => this.#fail('time'), this.#options.deadlineMs + (this.#isWarm ? 0 : this.#options.firstMs))
    this.#worker.postMessage({ id: (this.#id += 1), job: first.job })
  }

  #start(): Worker {
    this.#isWarm = false
    const worker = this.#options.start()
    worker.on('message', (reply: Reply<Result>) => {
      if (worker !== this.#worker || reply.id !== this.#id || !this.#isBusy) return
      if ('broken' in reply) return this.#fail('broken')
      this.#isWarm = true
      this.#settle(({ done }) => done(reply.result))
    })
    const broken = (): void => {
      if (worker === this.#worker) this.#fail('broken')
    }
    worker.on('error', broken)
    worker.on('exit', broken)
    return worker
  }

  #fail(how: JobFailed['how']): void {
    this.#letGo()
    this.#settle(({ fail }) => fail(new JobFailed(how)))
  }

  #settle(tell: (waiting: Waiting<Job, Result>) => void): void {
    clearTimeout(this.#timer)
    const first = this.#isBusy ? this.#waiting.shift() : undefined
    this.#isBusy = false
    if (first) tell(first)
    this.#next()
  }

  #letGo(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

/** Starts nothing before the first job. */
export const createJobThread = <Job, Result>(options: JobThreadOptions): JobThread<Job, Result> => new QueueToThread(options)

/** The other end: what the thread itself runs. Where `work` throws, the thread is not used again. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  parentPort?.on('message', async ({ id, job }: { readonly id: number; readonly job: Job }) => {
    try {
      parentPort?.postMessage({ id, result: await work(job) })
    } catch {
      parentPort?.postMessage({ id, broken: true })
    }
  })
}
