/**
 * Texts of C and C++ without what a grammar cannot know: macros beside declarations, conditional parts that cut through
 * them, and the bodies of functions, in which only types are declared. Every place keeps its offset.
 */

import { type Range, unfitConditionals } from './c-family/conditionals.ts'
import { Scopes } from './c-family/scopes.ts'
import { Statement } from './c-family/statement.ts'
import { type Directive, tokensOf } from './c-family/tokens.ts'

export function plainDeclarations(text: string): string {
  const read = tokensOf(text)
  const unfit = merged(unfitConditionals(read))
  let at = 0
  const tokens = read.tokens.filter(({ start }) => {
    while ((unfit[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1
    return start < (unfit[at]?.start ?? Number.POSITIVE_INFINITY)
  })
  const defines = read.directives.filter(({ word }) => word === 'define')
  const around = without(merged(new Scopes(new Statement(tokens)).read()), defines)
  return blanked(text, merged([...unfit, ...around, ...defines.flatMap((define) => commentsIn(text, define))]))
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const out: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else if (start < end) out.push({ start, end })
  }
  return out
}

/** Macros are declared in bodies as elsewhere. */
function without(ranges: readonly Range[], kept: readonly Range[]): readonly Range[] {
  const out: Range[] = []
  let next = 0
  for (const { start, end } of ranges) {
    let from = start
    while ((kept[next]?.end ?? end) <= start) next += 1
    for (; (kept[next]?.start ?? end) < end; next += 1) {
      out.push({ start: from, end: kept[next]?.start ?? end })
      from = kept[next]?.end ?? end
    }
    out.push({ start: from, end })
  }
  return out.filter(({ start, end }) => start < end)
}

/** The grammars end a macro at a comment that a line ends after. */
function commentsIn(text: string, { start, end }: Directive): readonly Range[] {
  return [...text.slice(start, end).matchAll(/\/\*[^\n]*?\*\//g)].map((one) => ({ start: start + one.index, end: start + one.index + one[0].length }))
}

function blanked(text: string, ranges: readonly Range[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of ranges) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, ' '))
    from = end
  }
  return parts.join('') + text.slice(from)
}
