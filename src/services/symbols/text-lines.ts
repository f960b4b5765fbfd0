/** What stands around a declaration in its text: attributes, comments, the docstring, the first line. */

import type { Grammar } from './grammars/grammar.ts'

const SIGNATURE_CHARS = 300
const DOC_CHARS = 2_000
/** Lines of comment that are looked at. */
const DOC_LINES = 100

export class TextLines {
  readonly text: string
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.text = text
    this.#lines = text.split('\n')
  }

  get length(): number {
    return this.#lines.length
  }

  /** The first row of the attributes that stand right above a row. */
  attributesFrom(row: number, { attribute }: Grammar): number {
    if (attribute === undefined) return row
    let first = row
    while (first > 0 && attribute.test(this.#trimmed(first - 1))) first -= 1
    return first
  }

  /** The comment that ends right above a row, without its marks. */
  commentAbove(row: number, { comment }: Grammar): string {
    const found: string[] = []
    for (let at = row - 1; at >= 0 && found.length < DOC_LINES; at -= 1) {
      const line = this.#trimmed(at)
      if (line.endsWith('*/')) at = this.#blockAbove(at, found)
      else if (comment.test(line)) found.push(line.replace(comment, ''))
      else break
    }
    return found.reverse().map((line) => line.replace(/^\/\*[*!]?/, '').replace(/\*\/$/, '').replace(/^\s*\*(?!\/)/, '').trim()).join('\n').trim().slice(0, DOC_CHARS)
  }

  /** The string that a body begins with (PEP 257), without its quotes. */
  docstringAt(index: number): string {
    const [opening = '', quote = ''] = /^[rRuUbB]{0,2}("""|'''|"|')/.exec(this.text.slice(index, index + 5)) ?? []
    if (quote === '') return ''
    const from = index + opening.length
    const end = this.text.indexOf(quote, from)
    if (end < 0) return ''
    return this.text.slice(from, Math.min(end, from + DOC_CHARS)).split('\n').map((line) => line.trim()).join('\n').trim()
  }

  /** Whether nothing but modifiers stands before a place on its line. */
  isFirst(index: number): boolean {
    const lineStart = this.text.lastIndexOf('\n', index - 1) + 1
    return index - lineStart <= SIGNATURE_CHARS && !/[{}();,]/.test(this.text.slice(lineStart, index))
  }

  /** From the start of a declaration's line to its body, or to the end of that line where it has none. */
  signature(start: number, end: number): string {
    const from = this.isFirst(start) ? this.text.lastIndexOf('\n', start - 1) + 1 : start
    return this.text.slice(from, Math.min(end, start + 4 * SIGNATURE_CHARS)).replace(/\s+/g, ' ').trim().slice(0, SIGNATURE_CHARS)
  }

  lineEnd(index: number): number {
    const feed = this.text.indexOf('\n', index)
    return feed < 0 ? this.text.length : feed
  }

  #trimmed(row: number): string {
    return this.#lines[row]?.trim() ?? ''
  }

  /** @returns the row that the block begins in. */
  #blockAbove(row: number, found: string[]): number {
    let at = row
    for (; at >= 0; at -= 1) {
      const line = this.#trimmed(at)
      found.push(line)
      if (line.includes('/*') || found.length >= DOC_LINES) break
    }
    return at
  }
}
