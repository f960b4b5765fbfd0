/** Lines of a text by number, whole ones only, within a budget. */

import { refusal } from '../../kernel/refusal.ts'
import type { RepoText } from '../../kernel/ports/repo.ts'

interface Wanted {
  /** From 1. */
  readonly start: number
  /** Inclusive; 0 for the last. */
  readonly end: number
  /** UTF-8 bytes; a single line that is longer comes whole, for the chain to cut. */
  readonly maxBytes: number
}

type Cut = Pick<RepoText, 'text' | 'startLine' | 'endLine' | 'totalLines' | 'isCut'>

/** A last line end starts no line. @throws Refusal `input.invalid` for lines that the text does not have. */
export function cutLines(text: string, { start, end, maxBytes }: Wanted): Cut {
  if (end !== 0 && end < start) throw refusal('input.invalid', 'end_line is 0 or not before start_line', 'lines')
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const totalLines = lines.length
  if (totalLines === 0 && start === 1) return { text: '', startLine: 0, endLine: 0, totalLines, isCut: false }
  if (start > totalLines) throw refusal('input.invalid', 'the file ends before start_line', 'lines')
  const last = end === 0 ? totalLines : Math.min(end, totalLines)
  let [bytes, endLine] = [0, start - 1]
  for (; endLine < last; endLine += 1) {
    bytes += Buffer.byteLength(lines[endLine] ?? '') + 1
    if (!(bytes <= maxBytes) && endLine >= start) break
  }
  const taken = lines.slice(start - 1, endLine).join('\n')
  const isWhole = endLine === totalLines && text.endsWith('\n')
  return { text: isWhole ? `${taken}\n` : taken, startLine: start, endLine, totalLines, isCut: endLine < last }
}
