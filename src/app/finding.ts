/** What a check of `doctor` found. */

import { Refusal, refusalText } from '../kernel/refusal.ts'

export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly what: string
  /** What to do about it. */
  readonly next?: string
}

export const ok = (what: string, next?: string): Finding => ({ state: 'ok', what, ...(next !== undefined && { next }) })
export const warn = (what: string, next: string): Finding => ({ state: 'warn', what, next })
export const fail = (what: string, next: string): Finding => ({ state: 'fail', what, next })

/** Why something failed, in words of this program; those of others are for logs. */
export const said = (error: unknown): string => (error instanceof Refusal ? refusalText(error) : (codeOf(error) ?? 'unknown'))

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : undefined
}
