/** Cuts a document into blocks of whole lines, so that no step of a search takes long. */

import { composed } from '../../kernel/normal-form.ts'

/** A block grows to the end of the line that reaches this many bytes. */
const BLOCK_BYTES = 256 * 1024
/** What is searched of one line, in bytes. */
const LINE_BYTES = 1024 * 1024

export interface BlockSizes {
  readonly block: number
  readonly line: number
}

/** Sizes of which none is more than `most`. */
export const sizesWithin = (most: number): BlockSizes => ({ block: Math.min(BLOCK_BYTES, most), line: Math.min(LINE_BYTES, most) })
const SIZES = sizesWithin(LINE_BYTES)

const LF = 10
const BOM = [0xef, 0xbb, 0xbf] as const

export interface Block {
  readonly from: number
  /** Before the LF that ends the block, or where a long line is cut. */
  readonly to: number
  /** Whether the last line goes on beyond `to`. */
  readonly isCut: boolean
}

const startOf = (document: Buffer): number => (BOM.every((byte, index) => document[index] === byte) ? BOM.length : 0)

/** Back to the start of a character, which a cut may fall into (RFC 3629 §3). */
const wholeCharacter = (document: Buffer, at: number): number => {
  let start = at
  while (start > at - 3 && ((document[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}

/** A byte order mark belongs to no block. */
export function* blocksOf(document: Buffer, sizes: BlockSizes = SIZES): Generator<Block> {
  // The last LF ends a line and starts none.
  const end = document.at(-1) === LF ? document.length - 1 : document.length
  let from = startOf(document)
  while (from < document.length) {
    const full = from + sizes.block
    const last = full >= end ? end : document.lastIndexOf(LF, full)
    const found = last < from ? document.indexOf(LF, full) : last
    const to = found < 0 ? end : found
    const isCut = to - from > sizes.line
    yield { from, to: isCut ? wholeCharacter(document, from + sizes.line) : to, isCut }
    from = to + 1
  }
}

/** Lines that end between two places. */
export const countLines = (document: Buffer, from: number, to: number): number => {
  let lines = 0
  for (let at = document.indexOf(LF, from); at >= 0 && at < to; at = document.indexOf(LF, at + 1)) lines += 1
  return lines
}

export const lineStart = (document: Buffer, at: number, from: number): number =>
  at === from ? from : Math.max(from, document.lastIndexOf(LF, at - 1) + 1)

export const lineEnd = (document: Buffer, at: number, to: number): number => {
  const end = document.indexOf(LF, at)
  return end < 0 || end > to ? to : end
}

/** Text as it is compared and shown: normal form C, without the CR of a line ending. */
export const textOf = (document: Buffer, from: number, to: number): string => composed(document.toString('utf8', from, to))

export const withoutCr = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
