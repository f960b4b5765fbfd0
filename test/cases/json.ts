/** Runs one JSON case: sanitises it as a document, and compares what a reader gets before and after. */

import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../src/kernel/refusal.ts'
import { createSanitiser } from '../../src/services/content/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

export type JsonCase = Case<{ readonly text?: string; readonly hex?: string; readonly gen?: object; readonly parts?: readonly string[] }>

/** As careless readers merge: every name is assigned, whatever it means, if it can be. */
function merge(into: Record<string, unknown>, from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  for (const [name, value] of Object.entries(from)) {
    const there = into[name]
    const isTarget = (typeof there === 'object' && there !== null) || typeof there === 'function'
    if (isTarget && typeof value === 'object' && value !== null) merge(there as Record<string, unknown>, value as Record<string, unknown>)
    else Reflect.set(into, name, value)
  }
  return into
}

const POLLUTION = ['polluted', 'isAdmin'] as const

/** @returns whether merging the value reached the prototype of every object; cleans up behind itself. */
const pollutes = (value: unknown): boolean => {
  const known = new Set(Object.getOwnPropertyNames(Object.prototype))
  if (typeof value === 'object' && value !== null) for (const one of [value, ...Object.values(value)]) if (one !== null && typeof one === 'object') merge({}, one as Record<string, unknown>)
  const fresh = Object.getOwnPropertyNames(Object.prototype).filter((name) => !known.has(name))
  for (const name of fresh) delete (Object.prototype as unknown as Record<string, unknown>)[name]
  return fresh.length > 0 || POLLUTION.some((name) => name in {})
}

/** Strings are given out in normal form C, as every text is; names stay as they are. */
const composed = (_name: string, value: unknown): unknown => (typeof value === 'string' ? value.normalize('NFC') : value)

/** @param before without the byte order mark that a reader may ignore (RFC 8259 §8.1). */
const isRight = (line: JsonCase, before: string, after: string): boolean => {
  const value: unknown = JSON.parse(after)
  if (line.expect === 'allow') return isDeepStrictEqual(value, JSON.parse(before, composed))
  return line.expect === 'strip' && !after.includes('__proto__') && !pollutes(value)
}

export async function runJsonCase(line: JsonCase): Promise<Verdict> {
  const { input } = line
  const bytes = input.hex === undefined ? Buffer.from(expand(input, input.text)) : Buffer.from(input.hex, 'hex')
  const sanitiser = createSanitiser()
  try {
    const text = await sanitiser.clean(sanitiser.decode(bytes), 'json')
    const again = await sanitiser.clean(text, 'json')
    return { right: again === text && isRight(line, new TextDecoder().decode(bytes), text), got: `allow: ${text.slice(0, 100)}` }
  } catch (error) {
    if (!(error instanceof Refusal)) return { right: false, got: `fault: ${String(error)}` }
    return { right: line.expect === 'refuse' || (line.alsoOk?.includes('refuse') ?? false), got: `refuse: ${error.code}` }
  }
}
