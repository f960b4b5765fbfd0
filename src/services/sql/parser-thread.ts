/**
 * A parser in a thread of its own. A text that it does not answer in time, or that breaks it, is refused,
 * and the next one gets a fresh thread. It starts with the first text and never keeps the process alive.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { PARSER_SOURCE } from './parser-source.ts'

export interface ParserThread {
  /** The tree, as the parser gives it. @throws Refusal `sql.syntax` or `sql.too-complex`. */
  parse(sql: string, dialect: Dialect): Promise<unknown>
  close(): Promise<void>
}

export interface ParserOptions {
  readonly parser: keyof typeof LIBRARIES
  /** From the moment that the thread is up; its start is not the text's fault. @default 250 */
  readonly deadlineMs?: number
  /** Sees each thread that starts; for tests that kill one. */
  readonly onStart?: (worker: Worker) => void
}

const LIBRARIES = { postgres: 'libpg-query', generic: '@guanmingchiu/sqlparser-ts' } as const
/** Loading WebAssembly takes some 50 ms; a machine under load is given much more before the start counts as failed. */
const START_MS = 20_000
/** A starved thread misses a deadline too, so the first miss is tried again, once, with more time. */
const SECOND_CHANCE = 4

export function createParserThread({ parser, deadlineMs = 250, onStart }: ParserOptions): ParserThread {
  let thread: Thread | undefined
  let tail: Promise<unknown> = Promise.resolve()

  const ask = async (sql: string, dialect: Dialect, withinMs: number): Promise<Answer> => {
    thread ??= openThread(parser, onStart)
    const answer = await thread.ask({ sql, dialect }, withinMs)
    if (answer.is !== 'tree' && answer.is !== 'syntax') {
      const dead = thread
      thread = undefined
      await dead.end()
    }
    return answer
  }

  const parse = async (sql: string, dialect: Dialect): Promise<unknown> => {
    const first = await ask(sql, dialect, deadlineMs)
    const answer = first.is === 'late' ? await ask(sql, dialect, deadlineMs * SECOND_CHANCE) : first
    if (answer.is === 'tree') return JSON.parse(answer.tree)
    throw answer.is === 'syntax' ? wrongSyntax() : tooComplex()
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
  ask(question: object, withinMs: number): Promise<Answer>
  end(): Promise<unknown>
}

/** The thread answers once for its start, then once for each text. */
function openThread(parser: ParserOptions['parser'], onStart: ParserOptions['onStart']): Thread {
  const library = createRequire(import.meta.url).resolve(LIBRARIES[parser])
  const worker = new Worker(PARSER_SOURCE, { eval: true, workerData: { parser, library }, resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 }, env: {} })
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
  const next = (withinMs: number): Promise<Answer> =>
    new Promise((resolve) => {
      if (isGone) return resolve({ is: 'broken' })
      const timer = setTimeout(() => resolve({ is: 'late' }), withinMs)
      settle = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
    })
  const started = next(START_MS)
  return {
    async ask(question, withinMs) {
      const { is } = await started
      if (is !== 'tree') return { is: 'broken' }
      const answer = next(withinMs)
      worker.postMessage(question)
      return answer
    },
    end: () => worker.terminate(),
  }
}

const wrongSyntax = (): Refusal => refusal('sql.syntax', 'check the query against the dialect of the database')
const tooComplex = (): Refusal => refusal('sql.too-complex', 'the parser could not read the query in time; make it simpler')
