/**
 * The bytes of one posting block: which declarations of 512 neighbouring files hold a term, and how much it weighs.
 * Per file: its number in the block and how many bytes follow (varints), and per declaration the step from the one
 * before (varint) and the weight (a byte).
 */

import { CorruptIndex } from './corrupt-index.ts'

/** Declarations per file: their numbers fit into the key of a posting. */
export const MAX_CHUNKS = 2 ** 16
/** More make a change dearer, fewer a question. */
const FILES_PER_BLOCK = 2 ** 9
/** Blocks per term: the number of a term and the number of a block make one whole number that a double holds. */
const BLOCKS_PER_TERM = 2 ** 20
export const MAX_FILES = FILES_PER_BLOCK * BLOCKS_PER_TERM

export interface Posting {
  /** Number of the declaration in its file. */
  readonly ordinal: number
  readonly weight: number
}

/** Row numbers of the blocks of one term, first and last. */
export const blockRange = (term: number): readonly [number, number] => [term * BLOCKS_PER_TERM, (term + 1) * BLOCKS_PER_TERM - 1]

/** Row number of the block that holds the postings of a term in a file. */
export const blockOf = (term: number, file: number): number => term * BLOCKS_PER_TERM + Math.floor(file / FILES_PER_BLOCK)

/** One number for a declaration anywhere in the index. */
export const keyOf = (file: number, ordinal: number): number => file * MAX_CHUNKS + ordinal
export const ordinalOf = (key: number): number => key % MAX_CHUNKS
export const fileOf = (key: number): number => Math.floor(key / MAX_CHUNKS)

class Reader {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new CorruptIndex('a posting block ends too early')
    this.at += 1
    return byte
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new CorruptIndex('a number in a posting block is too long')
  }
}

/** The declarations that hold one term, by file and then by number in the file: three lists of one length. */
export interface Postings {
  readonly files: number[]
  readonly ordinals: number[]
  readonly weights: number[]
}

export const noPostings = (): Postings => ({ files: [], ordinals: [], weights: [] })

interface Part {
  readonly number: number
  /** Where the postings of the file end. */
  readonly end: number
}

function readPart(reader: Reader): Part {
  const number = reader.varint()
  const length = reader.varint()
  const end = reader.at + length
  if (number >= FILES_PER_BLOCK || end > reader.bytes.length) throw new CorruptIndex('a posting points beyond its block')
  return { number, end }
}

/** Adds the postings of a block to a list. @throws CorruptIndex when the bytes are no block. */
export function readBlock(row: number, bytes: Uint8Array, into: Postings): void {
  const first = (row % BLOCKS_PER_TERM) * FILES_PER_BLOCK
  const reader = new Reader(bytes)
  while (reader.at < bytes.length) {
    const { number, end } = readPart(reader)
    let ordinal = 0
    while (reader.at < end) {
      ordinal += reader.varint()
      if (ordinal >= MAX_CHUNKS) throw new CorruptIndex('a posting points beyond its file')
      into.files.push(first + number)
      into.ordinals.push(ordinal)
      into.weights.push(reader.byte())
    }
  }
}

function pushVarint(out: number[], value: number): void {
  let left = value
  for (; left >= 0x80; left >>>= 7) out.push((left & 0x7f) | 0x80)
  out.push(left)
}

function partBytes(number: number, postings: readonly Posting[]): Uint8Array {
  if (postings.length === 0) return new Uint8Array()
  const entries: number[] = []
  let last = 0
  for (const { ordinal, weight } of postings) {
    pushVarint(entries, ordinal - last)
    entries.push(weight)
    last = ordinal
  }
  const head: number[] = []
  pushVarint(head, number)
  pushVarint(head, entries.length)
  return Uint8Array.from([...head, ...entries])
}

/** Tells the postings of a term in a file from others of the same term and file. 32 bits (FNV-1a). */
export function fingerprint(postings: readonly Posting[]): number {
  let hash = 0x811c9dc5
  for (const { ordinal, weight } of postings) {
    hash = Math.imul(hash ^ ordinal, 0x01000193)
    hash = Math.imul(hash ^ weight, 0x01000193)
  }
  return hash >>> 0
}

/** What the postings of one file in a block are to be from now on; none remove the file. */
export interface FileChange {
  readonly file: number
  readonly postings: readonly Posting[]
}

/**
 * A block with the postings of some files replaced, each file at most once. Ordinals must rise. What lies between
 * the changes is copied as it is, because a common word has thousands of postings and a change touches hundreds of words.
 * @throws CorruptIndex when the bytes are no block.
 */
export function changeBlock(bytes: Uint8Array, changes: readonly FileChange[]): Uint8Array {
  const left = changes.map(({ file, postings }) => ({ number: file % FILES_PER_BLOCK, postings })).sort((a, b) => b.number - a.number)
  const reader = new Reader(bytes)
  const out: Uint8Array[] = []
  let copied = 0
  const write = (from: number, to: number): void => {
    const change = left.pop()
    if (change === undefined) return
    out.push(bytes.subarray(copied, from), partBytes(change.number, change.postings))
    copied = to
  }
  while (reader.at < bytes.length) {
    const start = reader.at
    const { number, end } = readPart(reader)
    while ((left.at(-1)?.number ?? FILES_PER_BLOCK) < number) write(start, start)
    if (left.at(-1)?.number === number) write(start, end)
    reader.at = end
  }
  while (left.length > 0) write(bytes.length, bytes.length)
  out.push(bytes.subarray(copied))
  return Buffer.concat(out)
}
