/** What callers may call their namespaces, memories and keys. A name is never a path, and cannot look like one. */

import * as z from 'zod'

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const KEY = /^[A-Za-z0-9._:-]{1,256}$/

const named = (pattern: RegExp, rule: string): z.ZodString =>
  z.string().refine((text) => pattern.test(text), { params: { rule } }) as z.ZodString

export const namespace = named(NAME, 'letters, digits, _ - and ., not first; at most 128')
export const memoryId = named(NAME, 'an id that memory_store gave')
export const key = named(KEY, 'letters, digits and . _ : - only; at most 256')

/** An id, or nothing. */
export const optionalId = z.string().refine((text) => text === '' || NAME.test(text), { params: { rule: 'an id that memory_store gave' } })
  .default('')
/** Any JSON object of the caller's. */
export const metadata = z.record(z.string(), z.unknown())
