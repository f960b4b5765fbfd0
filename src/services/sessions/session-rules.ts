/** What every adapter of conversations holds to: the form of an id, what a text may be, how much is kept. */

import type { SessionEntry } from '../../kernel/ports/sessions.ts'
import { refusal, type Refusal } from '../../kernel/refusal.ts'

export interface SessionLimits {
  /** Conversations of one workspace; the oldest make room for new ones. */
  readonly maxSessions: number
  /** Entries of one conversation. */
  readonly maxEntries: number
  /** Characters of one entry; what is longer is cut, and says so. */
  readonly maxChars: number
}

export const SESSION_LIMITS: SessionLimits = { maxSessions: 1_000, maxEntries: 10_000, maxChars: 200_000 }

const MAX_TITLE_CHARS = 120
const CUT = ' [cut]'

const ID = /^[A-Za-z0-9._-]{1,128}$/

/** Looked at before anything is looked up by it. */
export const isSessionId = (id: string): boolean => ID.test(id) && id !== '.' && id !== '..'

/** A text as every store can keep it: no U+0000, which cuts it, and no half of a character. */
const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\ufffd')

function cut(text: string, maxChars: number): string {
  const whole = storable(text)
  return whole.length <= maxChars ? whole : `${storable(whole.slice(0, maxChars - CUT.length)).replace(/\ufffd$/, '')}${CUT}`
}

/** One line, cut from the first question. */
export const titleOf = (text: string): string => cut(text.trim().replace(/\s+/g, ' '), MAX_TITLE_CHARS)

export const keptEntry = (entry: SessionEntry, { maxChars }: SessionLimits): SessionEntry =>
  entry.kind === 'called' ? { ...entry, tool: cut(entry.tool, MAX_TITLE_CHARS) } : { ...entry, text: cut(entry.text, maxChars) }

export const noSession = (): Refusal => refusal('session.missing', 'list the sessions to see which there are')
export const sessionFull = (): Refusal => refusal('session.full', 'begin another one')

/** @throws RangeError for a number of entries or conversations that is none. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit: 1 or more')
}
