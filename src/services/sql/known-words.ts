/**
 * Puts what a parser lacks of its dialect in words that it knows and that mean the same to a guard: an infix
 * operator for another, a query over the same table, a clause left out that names no table and calls nothing. Only what
 * is judged is worded anew. So no name is replaced, for it could be one that WITH gave: only reserved words are.
 */

import { isWord } from './lexer.ts'
import type { Token } from './lexer.ts'

/** A bracket that is open. */
export interface Bracket {
  readonly index: number
  /** The word before it, in lower case; empty for none, and for a name after a dot. */
  readonly word: string
}

export interface Place {
  readonly tokens: readonly Token[]
  readonly index: number
  /** Those around it, the outermost first. */
  readonly brackets: readonly Bracket[]
}

export interface Replacement {
  /** How many tokens it stands for. */
  readonly taken: number
  readonly put: readonly Token[]
}

export type Wording = (place: Place) => Replacement | undefined

/** @param wordings the first that fits wins. */
export function reworded(given: readonly Token[], wordings: readonly Wording[]): readonly Token[] {
  const tokens = withNamedEnds(given)
  const words: Token[] = []
  const brackets: Bracket[] = []
  let isParted = false
  for (let index = 0; index < tokens.length; ) {
    const replacement = isMember(tokens, index) ? undefined : fitting(wordings, { tokens, index, brackets })
    const { taken, put } = replacement ?? { taken: 1, put: tokens.slice(index, index + 1) }
    words.push(...put.map((token, at) => (isParted && at === 0 && token.gap === '' ? { ...token, gap: ' ' as const } : token)))
    for (const last = index + taken; index < last; index += 1) follow(tokens, index, brackets)
    // Two words never grow into one.
    isParted = replacement !== undefined
  }
  return words
}

/** The parser takes each END for the last word of CASE or of the text; one that ends no CASE is a name, as an alias may be. */
function withNamedEnds(tokens: readonly Token[]): readonly Token[] {
  const cases = [0]
  return tokens.map((token, index) => {
    const open = cases.length - 1
    if (token.kind === 'open') cases.push(0)
    else if (token.kind === 'close' && open > 0) cases.pop()
    if (isMember(tokens, index)) return token
    if (isWord(token, 'case')) cases[open] = (cases[open] ?? 0) + 1
    if (!isWord(token, 'end')) return token
    if (cases[open] === 0) return { ...token, kind: 'name', text: `\`${token.text}\`` }
    cases[open] = (cases[open] ?? 0) - 1
    return token
  })
}

function fitting(wordings: readonly Wording[], place: Place): Replacement | undefined {
  for (const wording of wordings) {
    const replacement = wording(place)
    if (replacement) return replacement
  }
  return undefined
}

/** After a dot even a reserved word is a name. */
const isMember = (tokens: readonly Token[], index: number): boolean => tokens[index]?.kind === 'word' && tokens[index - 1]?.kind === 'dot'

function follow(tokens: readonly Token[], index: number, brackets: Bracket[]): void {
  const before = tokens[index - 1]
  if (tokens[index]?.kind === 'close') brackets.pop()
  else if (tokens[index]?.kind === 'open') brackets.push({ index, word: before?.kind === 'word' && !isMember(tokens, index - 1) ? before.text.toLowerCase() : '' })
}

/** One that stands for `taken` tokens; an empty text for nothing. */
export const instead = (taken: number, text: string): Replacement => ({ taken, put: text === '' ? [] : [{ kind: 'word', text, gap: ' ' }] })
