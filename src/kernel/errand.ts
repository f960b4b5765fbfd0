/** What a call is made for: a request that a person made of an assistant, and what the audit says of its calls. */

import { REFUSALS } from './refusal.ts'
import type { RefusalCode } from './refusal.ts'
import type { Level } from './level.ts'

/** Every call of one request carries the same one. A door makes it; nothing that a model says becomes part of it. */
export interface Errand {
  /** Also the name of the run under which changes of files are kept, so that they are undone together. */
  readonly id: string
  /** The person's own words. */
  readonly text: string
}

/** @param random unguessable. It never begins with a dash, so that it can be typed after a command. */
export const errandId = (random: string): string => `r-${random}`

export const STATUSES = ['success', 'denied', 'declined', 'confirmation_required', 'invalid_args', 'timeout', 'unknown_tool', 'error'] as const
export type Status = (typeof STATUSES)[number]

/** The part of an audit row that only calls of an errand have. */
export interface ErrandRow {
  /** The errand's id, equal for all of its calls. */
  readonly request: string
  /** What was asked for, without credentials, at most 500 characters. */
  readonly motive: string
  readonly level: Level
  /** Whether a person agreed to this very call. */
  readonly confirmed: boolean
  /** Empty in the row that announces an effect. */
  readonly status: Status | ''
  /** Arguments of the local user's own call as JSON, without credentials, at most 1,000 characters; else empty. */
  readonly values: string
}

const BY_CODE: Readonly<Partial<Record<RefusalCode, Status>>> = {
  'component.unknown': 'unknown_tool',
  'input.invalid': 'invalid_args',
  'call.timeout': 'timeout',
  'consent.changed': 'declined',
  'consent.declined': 'declined',
  'consent.ticket': 'declined',
  'consent.unavailable': 'confirmation_required',
  'edit.mismatch': 'invalid_args',
  'path.invalid': 'denied',
}

/** Statuses (RFC 9110) of a no that a policy said, not the work. */
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403, 429])

/** What became of a call, in the words of a person who reads the log. @param is the audit's word for it */
export function statusOf(is: 'ok' | 'refused' | 'fault' | 'ask' | 'task' | 'intent', code: string): Status | '' {
  if (is === 'intent') return ''
  if (is === 'ok' || is === 'task') return 'success'
  if (is === 'ask') return 'confirmation_required'
  if (is === 'fault' || !Object.hasOwn(REFUSALS, code)) return 'error'
  const known = code as RefusalCode
  return BY_CODE[known] ?? (FORBIDDEN.has(REFUSALS[known].http) ? 'denied' : 'error')
}

/** At most `max` UTF-16 units, no character halved. */
export const cutText = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, ''))
