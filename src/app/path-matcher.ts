/** Patterns of files as a tool takes them. */

import { refusal } from '../kernel/refusal.ts'
import { covers, parsePattern } from '../policy/path-pattern.ts'

/** A pattern without a slash is a name at any depth. @throws Refusal `input.invalid` */
export function matcherOf(text: string): (names: readonly string[]) => boolean {
  const parsed = parsePattern(text.includes('/') ? text : `**/${text}`)
  if (!parsed.ok) throw refusal('input.invalid', `pattern: ${parsed.problem}`)
  return (names) => covers(parsed.pattern, names)
}
