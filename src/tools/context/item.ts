/** What may be pinned: a kind that exists and an identifier in its one spelling. */

import * as z from 'zod'
import { echoed, unlisted } from '../../kernel/leaf.ts'
import { SOURCE_KINDS } from '../../kernel/ports/sources.ts'

const MAX_PATH = 1_024
const MAX_NOTE = 500
const LONGEST = 100_000
/** Relative, names joined by one slash, none of them `.` or `..`; no backslash, control character or half of a pair. */
const PLAIN_PATH = /^(?!\.{1,2}(?:\/|$))[^\\/\p{Cc}\p{Cs}]+(?:\/(?!\.{1,2}(?:\/|$))[^\\/\p{Cc}\p{Cs}]+)*$/u
const PLAIN_NOTE = /^[^\0-\x08\x0b-\x1f\x7f-\x9f\p{Cs}]*$/u

// Lengths are rules and not listed: a model makes none that are too long, and would read them in every conversation.
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/
const NAME_RULE = { params: { rule: 'letters, digits, dot, dash and underscore, at most 64' } }

export const setName = z.string().max(MAX_PATH).refine((name) => NAME.test(name), NAME_RULE)

/** Empty names no set. */
export const optionalSetName = z.string().max(MAX_PATH).refine((name) => name === '' || NAME.test(name), NAME_RULE).default('')

const identifier = z.string().min(1).max(MAX_PATH).refine((path) => path.length <= MAX_PATH && PLAIN_PATH.test(path) && path === path.normalize('NFC'), {
  params: { rule: 'a relative path, names joined by single slashes' },
})

export const pinned = z.strictObject({
  kind: z.enum(SOURCE_KINDS),
  identifier,
  note: z.string().max(LONGEST).refine((note) => note.length <= MAX_NOTE && PLAIN_NOTE.test(note), { params: { rule: `plain text, at most ${MAX_NOTE} characters` } }).default(''),
})

/** The answer of both tools: what its owner sent, sent back. Items are as they go in; the listing says it once. */
export const setOutput = z.strictObject({
  name: echoed(z.string()),
  item_count: z.int(),
  items: z.array(unlisted(z.strictObject({ kind: z.enum(SOURCE_KINDS), identifier: echoed(z.string()), note: echoed(z.string()) }))),
})
