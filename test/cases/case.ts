/** One line of a case file: a small input and the outcome that is right for it. */

export type Expectation = 'refuse' | 'allow' | 'redact' | 'strip'

export interface Case<Input> {
  readonly id: string
  readonly area: string
  readonly kind?: string
  readonly input: Input
  readonly expect: Expectation
  /** Other outcomes that are right too. */
  readonly alsoOk?: readonly string[]
  /** `quality` lines are debatable and scored apart; absent means `core`. */
  readonly tier?: 'core' | 'quality'
  readonly note?: string
  readonly source?: string
}

/** Whether the outcome was right, and what it was, in words for a failing test. */
export interface Verdict {
  readonly right: boolean
  readonly got: string
}
