/**
 * Conditional parts that a grammar cannot take: those that begin or end within a declaration, or leave a bracket open.
 * Of these one branch stays, and their directives go; all others stay as they are.
 */

import type { Directive, Token, Tokens } from './tokens.ts'

export interface Range {
  readonly start: number
  readonly end: number
}

interface Branch {
  readonly directive: Directive
  readonly tokens: readonly Token[]
}

/** Every level reads its tokens again. */
const MAX_DEPTH = 40
const OPENING: ReadonlySet<string> = new Set(['if', 'ifdef', 'ifndef'])
const NEXT: ReadonlySet<string> = new Set(['else', 'elif', 'elifdef', 'elifndef'])
const DEPTH: Readonly<Record<string, number>> = { '{': 1, '(': 1, '[': 1, '}': -1, ')': -1, ']': -1 }
/** After these a declaration or an item of a list is over. */
const ENDS = /^(?:[;{},:]|)$/
const MACRO = /^[A-Z][A-Z0-9_]*$/
const LABEL = /^(?:public|private|protected|signals|slots|default)$/

/** @returns what is to be blanked. */
export function unfitConditionals({ tokens, directives }: Tokens): readonly Range[] {
  const blanked: Range[] = []
  const open: Directive[][] = []
  for (const directive of directives) {
    if (OPENING.has(directive.word)) open.push([directive])
    else if (NEXT.has(directive.word)) open.at(-1)?.push(directive)
    else if (directive.word === 'endif') {
      const group = open.pop()
      if (group === undefined || open.length >= MAX_DEPTH) continue
      // One group may have more branches than a call takes arguments.
      for (const range of blankedIn([...group, directive], tokens)) blanked.push(range)
    }
  }
  return blanked
}

function blankedIn(directives: readonly Directive[], tokens: readonly Token[]): readonly Range[] {
  const branches = directives.slice(0, -1).map((directive, at): Branch => ({ directive, tokens: tokens.slice(directive.at, directives[at + 1]?.at) }))
  const before = tokens[(directives[0]?.at ?? 0) - 1]
  const isWithin = before !== undefined && !endsBefore(tokens, (directives[0]?.at ?? 0) - 1)
  if (!isWithin && branches.every((branch) => isWhole(branch.tokens))) return []
  if (before?.text === ',' && branches.every((branch) => isBalanced(branch.tokens))) return directives
  const kept = branches.findIndex(({ directive, tokens: own }) => own.length > 0 && !/^0\s*$/.test(directive.rest))
  const others = branches.flatMap((_, at): readonly Range[] => (at === kept ? [] : [{ start: directives[at]?.end ?? 0, end: directives[at + 1]?.start ?? 0 }]))
  return [...directives, ...others]
}

function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0
  for (const { text } of tokens) {
    depth += DEPTH[text] ?? 0
    if (depth < 0) return false
  }
  return depth === 0
}

const isWhole = (tokens: readonly Token[]): boolean => tokens.length === 0 || (isBalanced(tokens) && endsBefore(tokens, tokens.length - 1))

/** Whether a declaration may begin after a token. */
function endsBefore(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  if (text === ':') return LABEL.test(tokens[at - 1]?.text ?? '')
  if (ENDS.test(text)) return true
  if (MACRO.test(text)) return tokens[at]?.isFirst === true
  return text === ')' && isCallAlone(tokens, at)
}

/** `NAME(…)`, where a line begins with it. */
function isCallAlone(tokens: readonly Token[], close: number): boolean {
  let depth = 0
  for (let at = close; at >= 0 && at > close - 200; at -= 1) {
    depth -= DEPTH[tokens[at]?.text ?? ''] ?? 0
    if (depth === 0) return MACRO.test(tokens[at - 1]?.text ?? '') && tokens[at - 1]?.isFirst === true
  }
  return false
}
