/** What a check of `doctor` found. */

export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly what: string
  /** What to do about it. */
  readonly next?: string
}
