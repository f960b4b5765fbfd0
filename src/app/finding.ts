/** What a check of `doctor` found. */

import { Refusal, refusalText } from '../kernel/refusal.ts'
import { escaped } from '../kernel/terminal-text.ts'

const MAX_SHOWN = 200

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
  return typeof code === 'string' ? visible(code) : undefined
}

/** A value from outside as JSON, cut short, and nothing in it that acts on a terminal. */
export const shown = (value: unknown): string => visible(JSON.stringify(value ?? null))

/** The same of a word that is no text to quote, such as the code of an error: a server may have sent it. */
export const visible = (text: string): string => escaped(text.slice(0, MAX_SHOWN))
