/**
 * A parser in a thread of its own. A text that takes it too long, or that breaks it, is refused, and the next one
 * gets a fresh thread. It starts with the first text and never keeps the process alive.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { PARSER_SOURCE } from './parser-source.ts'
import { leftMs, threadTime } from './thread-time.ts'
import type { ThreadTime } from './thread-time.ts'

export interface ParserThread {
  /** The tree, as the parser gives it. @throws Refusal `sql.syntax` or `sql.too-complex`. */
  parse(sql: string, dialect: Dialect): Promise<unknown>
  close(): Promise<void>
}

export interface ParserOptions {
  readonly parser: keyof typeof LIBRARIES
  /** What a text may cost the thread, in milliseconds on a processor. @default 250 */
  readonly deadlineMs?: number
  /** Sees each thread that starts; for tests that kill one. */
  readonly onStart?: (worker: Worker) => void
  /** Tells how long a thread has worked; for tests that starve one. */
  readonly timeOf?: typeof threadTime
}

const LIBRARIES = { postgres: 'libpg-query', generic: '@guanmingchiu/sqlparser-ts' } as const
/** Loading WebAssembly takes some 50 ms; a machine under load is given much more before the start counts as failed. */
const START_MS = 20_000
/** Work on texts that are over which may count for the one that is not. */
const UNCOUNTED_MS = 5
/** Shorter waits than a timer can keep are not asked for. */
const MIN_WAIT_MS = 1

export function createParserThread(options: ParserOptions): ParserThread {
  let thread: Thread | undefined
  let tail: Promise<unknown> = Promise.resolve()

  const parse = async (sql: string, dialect: Dialect): Promise<unknown> => {
    const used = (thread ??= openThread(options))
    const answer = await used.ask({ sql, dialect })
    if (answer.is === 'tree') return JSON.parse(answer.tree)
    if (answer.is === 'syntax') throw wrongSyntax()
    thread = undefined
    await used.end()
    throw tooComplex()
  }

  return {
    // One text at a time: a deadline counts the work on its own text, and no text suffers for another.
    parse(sql, dialect) {
      const parsed = tail.then(() => parse(sql, dialect))
      tail = parsed.catch(() => undefined)
      return parsed
    },
    async close() {
      await thread?.end()
      thread = undefined
    },
  }
}

type Answer = { readonly is: 'tree'; readonly tree: string } | { readonly is: 'syntax' | 'broken' | 'late' }

interface Thread {
  ask(question: object): Promise<Answer>
  end(): Promise<unknown>
}

/** What a text may cost the thread where nothing else is said, in milliseconds on a processor. */
export const DEADLINE_MS = 250

/** The thread answers once for its start, then once for each text. */
function openThread({ parser, deadlineMs = DEADLINE_MS, onStart, timeOf = threadTime }: ParserOptions): Thread {
  const before = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  const library = createRequire(import.meta.url).resolve(LIBRARIES[parser])
  const worker = new Worker(PARSER_SOURCE, { eval: true, workerData: { parser, library, before: before.buffer, uncountedMs: UNCOUNTED_MS }, resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 }, env: {} })
  worker.unref()
  onStart?.(worker)
  let settle: (answer: Answer) => void = () => undefined
  let isGone = false
  worker.on('message', (answer: Answer) => settle(answer))
  for (const event of ['error', 'exit']) {
    worker.on(event, () => {
      isGone = true
      settle({ is: 'broken' })
    })
  }
  /** Nothing can be too late before `firstMs` have passed on the wall, so nobody looks until then. */
  const next = (firstMs: number, left: () => number): Promise<Answer> =>
    new Promise((resolve) => {
      if (isGone) return resolve({ is: 'broken' })
      let timer: NodeJS.Timeout
      const wait = (waitMs: number): void => {
        timer = setTimeout(look, Math.max(MIN_WAIT_MS, waitMs))
      }
      const look = (): void => {
        const waitMs = left()
        if (waitMs === 0) resolve({ is: 'late' })
        else wait(waitMs)
      }
      settle = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      wait(firstMs)
    })
  const startMs = performance.now()
  const started = next(START_MS, () => Math.max(0, START_MS - (performance.now() - startMs)))
  return {
    async ask(question) {
      const start = await started
      if (start.is !== 'tree') return { is: 'broken' }
      const answer = next(deadlineMs, timeLeft(deadlineMs, timeOf(start.tree), before))
      worker.postMessage(question)
      return answer
    },
    end: () => worker.terminate(),
  }
}

/** From now on. @param before what the thread had worked when it was done with the text before, as it says itself. */
function timeLeft(deadlineMs: number, worked: ThreadTime, before: Float64Array): () => number {
  const sinceMs = performance.now()
  return () => {
    const now = worked()
    return leftMs(deadlineMs, { waitedMs: performance.now() - sinceMs, usedMs: now === undefined ? undefined : now - (before[0] ?? 0) })
  }
}

const wrongSyntax = (): Refusal => refusal('sql.syntax', 'check the query against the dialect of the database')
const tooComplex = (): Refusal => refusal('sql.too-complex', 'the parser could not read the query in time; make it simpler')
