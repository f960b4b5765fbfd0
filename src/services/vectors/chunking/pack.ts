/** Packs lines into chunks along the seams that a document's structure gives. Linear in the text. */

export interface Chunk {
  readonly text: string
  /** First and last line in the document, from 1. */
  readonly startLine: number
  readonly endLine: number
}

export interface ChunkLimits {
  /** Longest chunk, in UTF-16 units, headings above it aside. */
  readonly maxChars: number
  /** What a chunk repeats of the one before it when a piece had to be cut, in whole lines. */
  readonly overlapChars: number
}

/** One line, or a part of one that is longer than a chunk. */
export interface Atom {
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** What belongs together: from one atom to before another. */
export interface Piece {
  readonly from: number
  readonly to: number
  /** Headings that stand above it, outermost first. */
  readonly trail?: readonly string[]
  /** Whether it starts something of its own, and joins what came before only while that is small. */
  readonly opens?: boolean
}

/** Below this part of a chunk, what comes next is taken along even where it opens something new. */
const SMALL_PART = 6
const MAX_TRAIL_CHARS = 200

export function atomsOf(text: string, maxChars: number): readonly Atom[] {
  const atoms: Atom[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.length <= maxChars) atoms.push({ text: line, line: index + 1 })
    else for (const part of cutLine(line, maxChars)) atoms.push({ text: part, line: index + 1 })
  }
  return atoms
}

/** Cut at a blank near the end where there is one, and never inside a surrogate pair. */
function cutLine(line: string, maxChars: number): readonly string[] {
  const parts: string[] = []
  for (let at = 0; at < line.length; ) {
    const part = firstPart(line.slice(at, at + maxChars), at + maxChars < line.length)
    parts.push(part)
    at += part.length
  }
  return parts
}

function firstPart(text: string, more: boolean): string {
  if (!more) return text
  const blank = text.lastIndexOf(' ')
  if (blank > text.length / 2) return text.slice(0, blank + 1)
  return text.length > 1 && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

export function pack(atoms: readonly Atom[], pieces: readonly Piece[], limits: ChunkLimits): readonly Chunk[] {
  const packer = new Packer(limits)
  for (const piece of pieces) packer.take(piece, atoms.slice(piece.from, piece.to))
  return packer.finish()
}

class Packer {
  readonly #limits: ChunkLimits
  readonly #chunks: Chunk[] = []
  #held: Atom[] = []
  #chars = 0
  #trail: readonly string[] = []

  constructor(limits: ChunkLimits) {
    this.#limits = limits
  }

  take({ trail = [], opens = false }: Piece, own: readonly Atom[]): void {
    const { maxChars, overlapChars } = this.#limits
    const size = own.reduce((sum, atom) => sum + weight(atom), 0)
    const apart = this.#chars > maxChars / (opens ? SMALL_PART : 2) && (opens || isSeam(own))
    if (apart || this.#chars + size > maxChars) this.#close(opens ? 0 : Math.min(overlapChars, maxChars - size))
    if (this.#held.length === 0) this.#trail = trail
    for (const atom of own) {
      if (this.#chars + atom.text.length > maxChars) {
        this.#close(Math.min(overlapChars, maxChars - weight(atom)))
        this.#trail = trail
      }
      this.#hold(atom)
    }
  }

  finish(): readonly Chunk[] {
    this.#close(0)
    return this.#chunks
  }

  #hold(atom: Atom): void {
    this.#held.push(atom)
    this.#chars += weight(atom)
  }

  #close(repeat: number): void {
    const chunk = chunkOf(this.#held, this.#trail)
    if (chunk) this.#chunks.push(chunk)
    const again = chunk ? tailOf(this.#held, repeat) : []
    this.#held = []
    this.#chars = 0
    for (const atom of again) this.#hold(atom)
  }
}

/**
 * Every other piece, by what it says: a chunk that is half full ends before one. So after an insertion the later
 * chunks are soon the same as before, and keep their vectors.
 */
function isSeam([first]: readonly Atom[]): boolean {
  let hash = 0
  for (const char of first?.text.slice(0, 100) ?? '') hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0
  return ((hash >>> 3) & 1) === 1
}

const weight = ({ text }: Atom): number => text.length + 1

function chunkOf(held: readonly Atom[], trail: readonly string[]): Chunk | undefined {
  const [first, last] = [held.findIndex(({ text }) => text.trim() !== ''), held.findLastIndex(({ text }) => text.trim() !== '')]
  const [start, end] = [held[first], held[last]]
  if (!start || !end) return undefined
  const body = held.slice(first, last + 1).map(({ text }) => text).join('\n')
  const above = trail.join(' > ').slice(0, MAX_TRAIL_CHARS)
  return { text: above === '' ? body : `${above}\n\n${body}`, startLine: start.line, endLine: end.line }
}

function tailOf(held: readonly Atom[], maxChars: number): readonly Atom[] {
  let left = maxChars
  let from = held.length
  for (let last = held[from - 1]; last && weight(last) <= left; last = held[from - 1]) {
    from -= 1
    left -= weight(last)
  }
  // Repeating all of it would be the same chunk again.
  return from === 0 ? [] : held.slice(from)
}
