/** Where a text may be cut: before what begins at the margin behind an empty line, or else behind any paragraph. */

import type { CountTokens } from '../../kernel/ports/tokens.ts'
import { CHARS_PER_TOKEN } from './piece.ts'
import type { Piece } from './piece.ts'

/** A closing bracket at the margin ends a declaration; it begins none. */
const BEGINS = /^[^\s})\]]/
/** A boundary between declarations is taken where it keeps at least this part of what the best paragraph would. */
const WORTH = 0.5
/** Tries, best first; each is counted whole. */
const MAX_TRIES = 6

const isEmpty = (line: string | undefined): boolean => (line ?? '').trim() === ''

/** Last lines, best first, with which the piece should cost at most `room` tokens. */
export function lastEnds({ text: { lines }, startLine, endLine }: Piece, room: number, count: CountTokens): readonly number[] {
  const between: number[] = []
  const paragraphs: number[] = []
  let spent = 0
  for (let line = startLine; line < endLine && spent <= room; line += 1) {
    const text = lines[line - 1] ?? ''
    // No line that is longer can fit, and counting it would cost more than it is worth.
    if (text.length > room * CHARS_PER_TOKEN) break
    spent += count(`${JSON.stringify(text).slice(1, -1)}\\n`)
    if (spent > room) break
    if (isEmpty(text) || !isEmpty(lines[line])) continue
    paragraphs.push(line)
    if (BEGINS.test(nextText(lines, line, endLine))) between.push(line)
  }
  const [most = 0] = paragraphs.slice(-1)
  const worthy = between.filter((end) => end - startLine >= (most - startLine) * WORTH)
  return [...new Set([...worthy.reverse(), ...paragraphs.reverse()])].slice(0, MAX_TRIES)
}

function nextText(lines: readonly string[], from: number, endLine: number): string {
  for (let line = from; line < endLine; line += 1) if (!isEmpty(lines[line])) return lines[line] ?? ''
  return ''
}
