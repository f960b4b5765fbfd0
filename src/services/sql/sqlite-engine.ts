/**
 * A SQLite file, opened read-only in a thread. A query that is cancelled or takes too long ends the thread;
 * the next query gets a new one. A file in WAL mode cannot be opened; a reader takes no lock, so a
 * query that runs while another program commits may fail and be asked again.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { rowsOf } from './engine-port.ts'
import type { EngineQuery, EngineRows, SqlEngine } from './engine-port.ts'
import { failureOf, tooCostly } from './failures.ts'
import { SQLITE_SOURCE } from './sqlite-source.ts'
import { shapesOf } from './table-shapes.ts'

export interface SqliteOptions {
  /** Path of the file. */
  readonly file: string
  /** Bytes that the library may hold. @default 256 MB */
  readonly heapBytes?: number
}

const TABLES = `SELECT 'main', t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 2, c.cid`

export function createSqliteEngine({ file, heapBytes = 256_000_000 }: SqliteOptions): SqlEngine {
  let thread: Thread | undefined
  let tail: Promise<unknown> = Promise.resolve()

  const run = async (asked: EngineQuery, signal: AbortSignal): Promise<EngineRows> => {
    signal.throwIfAborted()
    const used = (thread ??= openThread({ file, heapBytes }))
    const answer = await used.ask(asked, signal)
    if (answer.is === 'rows') return { ...answer.rows, lines: answer.rows.lines === '' ? [] : answer.rows.lines.split('\n') }
    if (answer.is === 'error') throw failureOf(answer.code, String)
    if (thread === used) thread = undefined
    await used.end()
    signal.throwIfAborted()
    throw tooCostly(answer.is === 'late' ? 'deadline' : 'lite_memory')
  }

  const query: SqlEngine['query'] = (asked, signal) => {
    const answered = tail.then(() => run(asked, signal))
    tail = answered.catch(() => undefined)
    return answered
  }

  return {
    dialect: 'sqlite',
    defaultSchema: async () => 'main',
    query,
    async tables(limit, signal) {
      const limits = { maxRows: limit * 20, maxBytes: 4_000_000, maxColumns: 4, timeoutMs: 10_000 }
      return shapesOf(rowsOf(await query({ text: TABLES, values: [], limits }, signal)), limit)
    },
    async close() {
      await thread?.end()
      thread = undefined
    },
  }
}

const bindable = (value: EngineQuery['values'][number]): string | number | null => (typeof value === 'boolean' ? Number(value) : (value as string | number | null))

/** The lines come as one text, which crosses threads faster than many. */
type Answer = { readonly is: 'rows'; readonly rows: Omit<EngineRows, 'lines'> & { readonly lines: string } } | { readonly is: 'error'; readonly code: string } | { readonly is: 'late' | 'gone' }

interface Thread {
  ask(query: EngineQuery, signal: AbortSignal): Promise<Answer>
  end(): Promise<unknown>
}

/** One question at a time: a statement runs to its end, or its thread does. */
function openThread(workerData: { readonly file: string; readonly heapBytes: number }): Thread {
  const library = createRequire(import.meta.url).resolve('node-sqlite3-wasm')
  const worker = new Worker(SQLITE_SOURCE, { eval: true, workerData: { ...workerData, library }, resourceLimits: { maxOldGenerationSizeMb: 512 }, env: {} })
  worker.unref()
  let settle: (answer: Answer) => void = () => undefined
  let isGone = false
  worker.on('message', (answer: Answer) => settle(answer))
  for (const event of ['error', 'exit']) {
    worker.on(event, () => {
      isGone = true
      settle({ is: 'gone' })
    })
  }
  return {
    ask({ text, values, limits }, signal) {
      return new Promise((resolve) => {
        const late = setTimeout(() => settle({ is: 'late' }), limits.timeoutMs)
        const leave = (): void => settle({ is: 'gone' })
        settle = (answer) => {
          clearTimeout(late)
          signal.removeEventListener('abort', leave)
          resolve(answer)
        }
        signal.addEventListener('abort', leave, { once: true })
        if (isGone) settle({ is: 'gone' })
        else worker.postMessage({ text, values: values.map(bindable), limits })
      })
    },
    end: () => worker.terminate(),
  }
}
