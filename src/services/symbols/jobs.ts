/** What goes to the parsing thread; an outline comes back. */

import type { Language } from '../../kernel/ports/symbols.ts'

export interface Job {
  readonly text: string
  readonly language: Exclude<Language, 'markdown'>
  readonly deadlineMs: number
}
