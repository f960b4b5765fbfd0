/**
 * Plain arithmetic by a tokenizer and an evaluator of our own: numbers, + - * / and brackets. There is
 * no name, call or member in the grammar, so there is nothing to escape to.
 */

import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'

type Operator = '+' | '-' | '*' | '/'
type Token = number | Operator | '(' | ')'

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const BLANK = /[ \t\r\n]+/y
const MAX_TOKENS = 2_000
const MAX_DEPTH = 64

const syntax = (hint: string): Refusal => refusal('expression.syntax', hint)

/**
 * Evaluates in double precision (IEEE 754), left to right within a level.
 * @throws Refusal `expression.syntax`, `expression.size` (over 2,000 tokens or 64 open brackets and signs)
 * or `expression.range` (the result, or a part of it, is not finite).
 */
export function evaluate(text: string): number {
  const tokens = tokenize(text)
  let at = 0
  let depth = 0

  const sum = (): number => {
    let value = product()
    while (tokens[at] === '+' || tokens[at] === '-') value = tokens[at++] === '+' ? finite(value + product()) : finite(value - product())
    return value
  }
  const product = (): number => {
    let value = signed()
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? finite(value * signed()) : finite(value / signed())
    return value
  }
  const signed = (): number => {
    if (++depth > MAX_DEPTH) throw refusal('expression.size', `at most ${MAX_DEPTH} brackets and signs may be open at once`)
    const token = tokens[at++]
    const value = token === '+' ? signed() : token === '-' ? -signed() : token === '(' ? bracketed() : token
    depth -= 1
    if (typeof value !== 'number') throw syntax('a number or a bracket is missing')
    return value
  }
  const bracketed = (): number => {
    const value = sum()
    if (tokens[at++] !== ')') throw syntax('a bracket is not closed')
    return value
  }

  const value = sum()
  if (at < tokens.length) throw syntax('an operator is missing')
  return value === 0 ? 0 : value
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const blank = match(BLANK, text, at)
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    if (tokens.length >= MAX_TOKENS) throw refusal('expression.size', `at most ${MAX_TOKENS} numbers and operators`)
    const number = match(NUMBER, text, at)
    const token = number === undefined ? operator(text.charAt(at)) : finite(Number(number))
    if (typeof token === 'number' && typeof tokens.at(-1) === 'number') throw syntax('an operator is missing')
    tokens.push(token)
    at += number?.length ?? 1
  }
  return tokens
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function operator(char: string): Exclude<Token, number> {
  if (char === '+' || char === '-' || char === '*' || char === '/' || char === '(' || char === ')') return char
  throw syntax('only numbers, + - * / and brackets are understood')
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw refusal('expression.range', 'a division by zero or an overflow is no number')
  return value
}
