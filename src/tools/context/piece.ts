import type { SourceRef, SourceText } from '../../kernel/ports/sources.ts'

/** Some lines of a source, from 1, both ends included. */
export interface Piece {
  readonly ref: SourceRef
  readonly text: SourceText
  readonly startLine: number
  readonly endLine: number
}

/** Without empty lines at both ends. */
export function trimmed(piece: Piece): Piece {
  const isEmpty = (line: number): boolean => (piece.text.lines[line - 1] ?? '').trim() === ''
  let { startLine, endLine } = piece
  while (endLine > startLine && isEmpty(endLine)) endLine -= 1
  while (startLine < endLine && isEmpty(startLine)) startLine += 1
  return { ...piece, startLine, endLine }
}

/** More characters for a token are not met but in runs of blanks: what is longer need not be looked at to be too long. */
export const CHARS_PER_TOKEN = 64

export function isFarTooLong({ text: { lines }, startLine, endLine }: Piece, tokens: number): boolean {
  let chars = 0
  for (let line = startLine; line <= endLine; line += 1) {
    chars += (lines[line - 1]?.length ?? 0) + 1
    if (chars > tokens * CHARS_PER_TOKEN) return true
  }
  return false
}
