/**
 * Literal search. ASCII queries are looked for in the bytes, and only lines that hold them are decoded; the rest
 * is compared as text. Both ways give the same hits.
 */

import { isAscii } from 'node:buffer'
import { type Block, type BlockSizes, blocksOf, countLines, lineEnd, lineStart, sizesWithin, textOf, withoutCr } from './blocks.ts'
import type { Hit, Matcher, Step } from './matcher-port.ts'
import { snippetOf } from './snippet.ts'

interface LiteralOptions {
  readonly caseFold: boolean
  readonly snippetMaxChars: number
}

/** Bytes of one block or line times characters of the query: where case is folded, each may be compared with each. */
const STEPS = 100_000_000

interface Disguise {
  readonly ascii: RegExp
  readonly bytes: Buffer
}

/**
 * Characters that are ASCII once they are normalised or folded, so a search of bytes would miss them: Kelvin
 * sign, Greek question mark, Greek varia, long s.
 */
const DISGUISES: readonly Disguise[] = [[/k/i, '\u212a'], [/;/, '\u037e'], [/`/, '\u1fef'], [/s/i, '\u017f']].map(
  ([ascii, character]) => ({ ascii: ascii as RegExp, bytes: Buffer.from(character as string) }),
)

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const isPlain = (text: string): boolean => isAscii(Buffer.from(text))

/** Where a search of one document stands. */
interface Place {
  readonly document: Buffer
  line: number
  /** Lines are counted up to here. */
  counted: number
}

class LiteralMatcher implements Matcher {
  readonly #text: RegExp
  /** Finds the query in bytes read as Latin-1; undefined when only text can be compared. */
  readonly #bytes: RegExp | undefined
  readonly #disguises: readonly Disguise[]
  readonly #snippetMaxChars: number
  readonly #sizes: BlockSizes

  constructor(query: string, { caseFold, snippetMaxChars }: LiteralOptions) {
    const source = escaped(query)
    const isByteSearch = isPlain(query)
    // With `u`, `i` compares by simple case folding (ECMA-262 §22.2.2.7.3); without it, ASCII only meets ASCII.
    this.#text = new RegExp(source, caseFold ? 'giu' : 'gu')
    this.#bytes = isByteSearch ? new RegExp(source, caseFold ? 'gi' : 'g') : undefined
    this.#disguises = DISGUISES.filter(({ ascii }) => ascii.test(query))
    this.#snippetMaxChars = snippetMaxChars
    this.#sizes = sizesWithin(Math.floor(STEPS / query.length))
  }

  *search(document: Uint8Array): Generator<Step> {
    const buffer = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
    const place = { document: buffer, line: 1, counted: 0 }
    for (const block of blocksOf(buffer, this.#sizes)) {
      yield* this.#searchBlock(place, block)
      yield block.isCut ? 'long-line' : 'pause'
    }
  }

  #searchBlock(place: Place, block: Block): Iterable<Hit> {
    const bytes = place.document.subarray(block.from, block.to)
    const isAllAscii = isAscii(bytes)
    if (this.#bytes === undefined) return isAllAscii ? [] : this.#inText(place, block)
    const isDisguised = !isAllAscii && this.#disguises.some((disguise) => bytes.includes(disguise.bytes))
    if (isDisguised) return this.#inText(place, block)
    return this.#inBytes(this.#bytes, place, block)
  }

  *#inBytes(pattern: RegExp, place: Place, { from, to }: Block): Generator<Hit> {
    const { document } = place
    const characters = document.toString('latin1', from, to)
    for (let next = 0; next <= characters.length; ) {
      pattern.lastIndex = next
      const found = pattern.exec(characters)
      if (found === null) return
      const start = lineStart(document, from + found.index, from)
      const end = lineEnd(document, from + found.index, to)
      // A combining mark may change the last letter, so the line is asked as text too.
      const hit = this.#hitIn(textOf(document, start, end), () => this.#lineAt(place, start))
      if (hit !== undefined) yield hit
      next = end - from + 1
    }
  }

  *#inText(place: Place, { from, to }: Block): Generator<Hit> {
    const text = textOf(place.document, from, to)
    let line = this.#lineAt(place, from)
    let counted = 0
    for (let next = 0; next <= text.length; ) {
      this.#text.lastIndex = next
      const found = this.#text.exec(text)
      if (found === null) return
      const start = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1
      for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line += 1
      counted = start
      const feed = text.indexOf('\n', found.index)
      const end = feed < 0 ? text.length : feed
      const hit = this.#hitIn(text.slice(start, end), () => line)
      if (hit !== undefined) yield hit
      next = end + 1
    }
  }

  #lineAt(place: Place, start: number): number {
    place.line += countLines(place.document, place.counted, start)
    place.counted = start
    return place.line
  }

  #hitIn(written: string, lineOf: () => number): Hit | undefined {
    const line = withoutCr(written)
    this.#text.lastIndex = 0
    const found = this.#text.exec(line)
    if (found === null) return undefined
    const { snippet, isCut } = snippetOf(line, { at: found.index, length: found[0].length }, this.#snippetMaxChars)
    return { line: lineOf(), column: found.index + 1, snippet, isCut }
  }
}

/** @param query one line in normal form C, not empty. */
export const literalMatcher = (query: string, options: LiteralOptions): Matcher =>
  // The one character that is ASCII once it is folded and is not made so by normal form C.
  new LiteralMatcher(options.caseFold ? query.replaceAll('\u017f', 's') : query, options)
