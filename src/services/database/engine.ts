/**
 * Postgres in a thread of this process, started by the first job. A job that overruns or is cancelled ends the
 * thread, which is the one deadline that the engine cannot ignore; the next job starts another.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { rowReader } from './bounded-rows.ts'
import { BOOTSTRAP } from './bootstrap.ts'
import { engineMain } from './engine-worker.ts'
import type { EngineMessage, EngineStart } from './engine-worker.ts'
import type { Job, JobOutcome, JobRunner } from './job.ts'
import { portalReader } from './portal-reader.ts'

export interface EngineOptions {
  /** Holds the database files, and nobody else's. */
  readonly folder: string
  /** A compressed tar of a prepared directory; without one the first start makes its own, which takes seconds. */
  readonly template?: string | undefined
}

export interface Engine extends JobRunner {
  /** Ends the thread after the job that runs; jobs that wait are not begun. */
  close(): Promise<void>
  /** Writes a template from the directory as it is, and closes. */
  dump(file: string): Promise<void>
}

interface Waiting {
  readonly job: Job
  settle(outcome: JobOutcome): void
}

interface Thread {
  readonly worker: Worker
  readonly ended: Promise<void>
}

type Said = { readonly ready: true } | { readonly id: number; readonly outcome: JobOutcome }

const MAX_WAITING = 2000
const CLOSE_MS = 5000
/**
 * Pages kept in view are memory that is taken at the start, whether used or not: about that much more is resident, and
 * each start takes a little longer. A search over an index that does not fit reads the rest from files, page by page.
 */
export const CONFIGURATION = ['shared_buffers=32MB']
/** Some 200 MB are taken from the start, and building an index takes 256 more. */
const MEMORY_BYTES = 768 * 1024 * 1024
const require = createRequire(import.meta.url)

export const createEngine = (options: EngineOptions): Engine => new ThreadEngine(options)

class ThreadEngine implements Engine {
  readonly #options: EngineOptions
  readonly #waiting: Waiting[] = []
  #thread: Thread | undefined
  #ready = false
  #running: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #jobs = 0
  #closed = false

  constructor(options: EngineOptions) {
    this.#options = options
  }

  run(job: Job, signal?: AbortSignal): Promise<JobOutcome> {
    if (this.#closed) return Promise.resolve({ is: 'closed' })
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve({ is: 'lost', says: 'too many jobs wait' })
    if (signal?.aborted) return Promise.resolve({ is: 'timeout' })
    return new Promise((done) => {
      const stop = (): void => this.#stop(entry)
      const entry: Waiting = {
        job,
        settle: (outcome) => {
          signal?.removeEventListener('abort', stop)
          done(outcome)
        },
      }
      signal?.addEventListener('abort', stop, { once: true })
      this.#waiting.push(entry)
      this.#next()
    })
  }

  async close(): Promise<void> {
    await this.#end({ end: true })
  }

  async dump(file: string): Promise<void> {
    await this.#end({ dump: file })
  }

  async #end(message: EngineMessage): Promise<void> {
    this.#closed = true
    for (const { settle } of this.#waiting.splice(0)) settle({ is: 'closed' })
    const thread = this.#thread
    if (!thread) return
    thread.worker.ref()
    thread.worker.postMessage(message)
    const timer = setTimeout(() => void thread.worker.terminate(), 'dump' in message ? 60_000 : CLOSE_MS)
    await thread.ended
    clearTimeout(timer)
  }

  #next(): void {
    if (this.#running || this.#closed) return
    if (this.#waiting.length === 0) return void this.#thread?.worker.unref()
    const { worker } = (this.#thread ??= this.#open())
    worker.ref()
    if (!this.#ready) return
    const entry = this.#waiting.shift()
    if (!entry) return
    this.#running = entry
    this.#timer = setTimeout(() => this.#stop(entry), entry.job.timeoutMs)
    worker.postMessage({ id: ++this.#jobs, job: entry.job } satisfies EngineMessage)
  }

  #open(): Thread {
    const { folder, template = '' } = this.#options
    const start: EngineStart = {
      pglite: require.resolve('@electric-sql/pglite'), pgvector: require.resolve('@electric-sql/pglite-pgvector'),
      dataDir: `${folder}/data`, marker: `${folder}/complete`, template, bootstrap: BOOTSTRAP, configuration: CONFIGURATION, memoryBytes: MEMORY_BYTES,
    }
    const source = `(${engineMain.toString()})(require, (${rowReader.toString()})(), (${portalReader.toString()})()).catch((error) => { setImmediate(() => { throw error }) })`
    // Nothing of the engine's chatter may reach standard output, which belongs to the protocol.
    const worker = new Worker(source, { eval: true, workerData: start, stdout: true, stderr: true, env: {} })
    worker.stdout.resume()
    worker.stderr.resume()
    const ended = new Promise<void>((done) => worker.once('exit', () => done()))
    worker.on('message', (said: Said) => this.#heard(worker, said))
    worker.once('error', (error) => this.#lost(worker, `the engine failed: ${String(error)}`))
    worker.once('exit', () => this.#lost(worker, 'the engine ended'))
    return { worker, ended }
  }

  #heard(worker: Worker, said: Said): void {
    if (worker !== this.#thread?.worker) return
    if ('ready' in said) this.#ready = true
    else if (said.outcome.is === 'lost') return this.#kill(said.outcome)
    else this.#settle(said.outcome)
    this.#next()
  }

  /** The job's time is over, or nobody waits for it any more. */
  #stop(entry: Waiting): void {
    if (entry === this.#running) return this.#kill({ is: 'timeout' })
    const place = this.#waiting.indexOf(entry)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    entry.settle({ is: 'timeout' })
  }

  #kill(outcome: JobOutcome): void {
    const thread = this.#thread
    this.#forget()
    void thread?.worker.terminate()
    // Two engines over one directory lose rows, so the next one waits until this one is gone.
    void thread?.ended.then(() => {
      this.#settle(outcome)
      this.#next()
    })
  }

  #lost(worker: Worker, says: string): void {
    if (worker !== this.#thread?.worker) return
    const started = this.#ready
    this.#forget()
    if (this.#running) this.#settle({ is: 'lost', says })
    // A start that fails would fail for each of them.
    else if (!started) for (const { settle } of this.#waiting.splice(0)) settle({ is: 'lost', says })
    this.#next()
  }

  #forget(): void {
    this.#thread = undefined
    this.#ready = false
  }

  #settle(outcome: JobOutcome): void {
    clearTimeout(this.#timer)
    const running = this.#running
    this.#running = undefined
    running?.settle(outcome)
  }
}
