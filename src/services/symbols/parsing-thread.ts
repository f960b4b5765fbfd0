/** The `Symbols` port over one parsing thread. */

import { Worker } from 'node:worker_threads'
import { createJobThread, JobFailed } from '../../exits/process/job-thread.ts'
import type { Outline, Symbols } from '../../kernel/ports/symbols.ts'
import type { Job } from './jobs.ts'
import { languageOf } from './languages.ts'
import { headingsOf } from './markdown.ts'

export interface SymbolsOptions {
  /** For one file; two seconds by default. */
  readonly deadlineMs?: number
  /** Beyond the deadline, until a thread that does not answer is ended. */
  readonly graceMs?: number
  /** The thread is let go when nobody asked for so long. */
  readonly idleMs?: number
}

const DEADLINE_MS = 2_000
const GRACE_MS = 3_000
/** A grammar takes memory by itself, deep trees take more. */
const MEMORY = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 }

/** Starts nothing before the first file. */
export function createSymbols({ deadlineMs = DEADLINE_MS, graceMs = GRACE_MS, idleMs }: SymbolsOptions = {}): Symbols {
  const thread = createJobThread<Job, Outline>({
    start: () => new Worker(new URL('./parse-worker.js', import.meta.url), { resourceLimits: MEMORY, env: {}, stdin: false }),
    deadlineMs: deadlineMs + graceMs, ...(idleMs !== undefined && { idleMs }),
  })
  return {
    languageOf,
    async declarationsOf(text, language, signal) {
      if (language === 'markdown') return { declarations: headingsOf(text) }
      try {
        return await thread.run({ text, language, deadlineMs }, signal)
      } catch (error) {
        if (!(error instanceof JobFailed)) throw error
        return { declarations: [], problem: error.how === 'time' ? 'time' : 'syntax' }
      }
    },
    close: () => thread.close(),
  }
}
