/**
 * Rebuilds Markdown without holding up anybody else: what is small here, because that is done sooner than it is handed
 * over, and the rest in a thread with a deadline.
 */

import { Worker } from 'node:worker_threads'
import { createJobThread, JobFailed } from '../../exits/process/job-thread.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'
import type { MarkdownLimits } from './markdown-sanitiser.ts'

export interface MarkdownJob {
  readonly text: string
  readonly limits: Partial<MarkdownLimits>
}

export type MarkdownResult =
  | { readonly text: string }
  | { readonly code: RefusalCode; readonly hint: string | undefined; readonly reason: string | undefined }

export interface MarkdownThreadOptions {
  /** UTF-16 units up to which a text is rebuilt where it is. @default 2,000 */
  readonly inlineChars?: number
  /** For one text, in milliseconds. @default 10,000 */
  readonly deadlineMs?: number
}

const INLINE_CHARS = 2_000
const DEADLINE_MS = 10_000
const MEMORY = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 }

type SanitiseMarkdown = typeof sanitiseMarkdown

/** @returns what cleans as `sanitiseMarkdown` does; a text that takes too long is refused as `content.markdown`. */
export function createMarkdownThread({ inlineChars = INLINE_CHARS, deadlineMs = DEADLINE_MS }: MarkdownThreadOptions = {}): SanitiseMarkdown {
  const thread = createJobThread<MarkdownJob, MarkdownResult>({
    start: () => new Worker(new URL('./markdown-worker.js', import.meta.url), { resourceLimits: MEMORY, env: {}, stdin: false }),
    deadlineMs,
  })
  return async (text, limits = {}) => {
    if (text.length <= inlineChars) return sanitiseMarkdown(text, limits)
    const result = await thread.run({ text, limits }).catch((error: unknown) => {
      if (error instanceof JobFailed) throw refusal('content.markdown', 'it takes too long to read', error.how)
      throw error
    })
    if ('text' in result) return result.text
    throw refusal(result.code, result.hint, result.reason)
  }
}

/** One thread serves the whole process: what is loaded once need not be loaded again. */
export const sanitiseMarkdownApart: SanitiseMarkdown = createMarkdownThread()
