/** What the braces of C and C++ hold, by the declaration that stands before them. */

import { CLASS_KEY, isAssigned, MACRO, SPECIFIER, type Statement } from './statement.ts'

/** A body is of a function, a value of a variable. */
export type Brace = 'space' | 'class' | 'enum' | 'body' | 'value'

/** A type in a body is told by its first tokens. */
const MAX_HEAD = 60

/** @param outer the declaration's tokens, without what stands in brackets. */
export function kindOf(outer: readonly string[]): Brace {
  if (outer.length === 0 || outer.includes('namespace') || (outer.length <= 2 && outer[0] === 'extern')) return 'space'
  if (isAssigned(outer)) return 'value'
  const key = outer.findIndex((text) => CLASS_KEY.test(text) || text === 'enum')
  const isFunction = outer.some((text, place) => text === '(' && place > key && isParameters(outer, place))
  if (key >= 0 && !isFunction) return outer[key] === 'enum' ? 'enum' : 'class'
  return outer.every((text) => MACRO.test(text)) ? 'space' : 'body'
}

/** Whether parentheses at a place are those of a function, and not of an attribute, an alignment or a macro. */
function isParameters(outer: readonly string[], at: number): boolean {
  const [before = '', earlier = ''] = [outer[at - 1], outer[at - 2]]
  if (/^(?:alignas|__attribute__|__declspec|decltype|enum)$/.test(before) || CLASS_KEY.test(before)) return false
  if (MACRO.test(before) && (CLASS_KEY.test(earlier) || outer.includes('enum'))) return false
  const colon = outer.indexOf(':')
  return colon < 0 || at < colon
}

export function classNameOf(outer: readonly string[]): string {
  const key = outer.findIndex((text) => CLASS_KEY.test(text))
  const colon = outer.indexOf(':')
  const names = outer.slice(key + 1, colon < 0 ? undefined : colon).filter((text) => /^\w/.test(text) && text !== 'final')
  return names.at(-1) ?? ''
}

/** Whether a type is declared at a place of a body: an alias, a definition with braces. */
export function isLocalType(all: Statement, from: number, end: number): boolean {
  if (!all.isName(from) || !/^[{};:]$/.test(all.text(from - 1))) return false
  let at = from
  while (SPECIFIER.test(all.text(at)) && all.text(at) !== 'typedef') at += 1
  const key = all.text(at)
  if (key === 'typedef') return true
  if (key === 'using') return all.isName(at + 1) && all.text(at + 2) === '='
  if (!CLASS_KEY.test(key) && key !== 'enum') return false
  let names = 0
  for (at += 1; at < Math.min(end, from + MAX_HEAD); at = all.afterBracket(at)) {
    const text = all.text(at)
    if (text === '{') return true
    if (text === ':') return all.text(at + 1) !== ':'
    if (text === '(' || text === '::' || text === '<' || text === '>' || text === '[' || text === 'final' || text === 'class' || text === 'struct' || MACRO.test(text)) continue
    if (!all.isName(at) || (names += 1) > 1) return false
  }
  return false
}
