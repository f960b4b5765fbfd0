/** What goes to the parsing thread and comes back. */

import type { Language, Outline } from '../../kernel/ports/symbols.ts'

export interface Job {
  readonly id: number
  readonly text: string
  readonly language: Exclude<Language, 'markdown'>
  readonly deadlineMs: number
}

export interface Answer extends Outline {
  readonly id: number
  /** Of a fault, for tests. */
  readonly why?: string
}
