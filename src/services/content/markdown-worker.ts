/** The thread in which large Markdown is rebuilt. A refusal is an answer: the thread goes on. */

import { answerJobs } from '../../exits/process/job-thread.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { MarkdownJob, MarkdownResult } from './markdown-thread.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'

answerJobs(async ({ text, limits }: MarkdownJob): Promise<MarkdownResult> => {
  try {
    return { text: await sanitiseMarkdown(text, limits) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, hint, reason } = error
    return { code, hint, reason }
  }
})
