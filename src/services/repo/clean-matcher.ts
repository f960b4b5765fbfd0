/**
 * A matcher that knows no credentials: a line that holds one matches only if it does without it. So a search neither
 * shows a secret nor tells, by hitting or not, how it goes on.
 */

import { cleanSource, type FindSecrets } from './clean-source.ts'
import type { Matcher } from './searcher.ts'

/** Lines looked at around a hit: what a value means may be said on another line. */
const AROUND = 20
/** Text that holds this is looked at as a whole, because a key goes over many lines. */
const KEY = 'PRIVATE KEY'

export const cleanMatcher = (matcher: Matcher, find: FindSecrets): Matcher => ({
  *search(document) {
    let cleaned: ((line: number) => string | undefined) | undefined
    for (const step of matcher.search(document)) {
      if (typeof step === 'string') yield step
      else {
        cleaned ??= lineCleaner(document, find)
        const line = cleaned(step.line)
        if (line === undefined) yield step
        else for (const again of matcher.search(Buffer.from(line))) if (typeof again !== 'string') yield { ...again, line: step.line }
      }
    }
  },
})

/** Says how a line reads without its secrets, or undefined when it has none. Lines are asked for in their order. */
function lineCleaner(document: Uint8Array, find: FindSecrets): (line: number) => string | undefined {
  const buffer = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
  const whole = buffer.includes(KEY) ? cleanLines(buffer.toString('utf8'), find) : undefined
  const starts = new LineStarts(buffer)
  return (line) => {
    if (whole) return whole(line - 1)
    const first = Math.max(1, line - AROUND)
    const text = buffer.toString('utf8', starts.of(first), starts.of(line + AROUND + 1))
    return cleanLines(text, find)(line - first)
  }
}

function cleanLines(text: string, find: FindSecrets): (index: number) => string | undefined {
  const { text: clean, count } = cleanSource(text, find)
  if (count === 0) return () => undefined
  const [before, after] = [text.split('\n'), clean.split('\n')]
  return (index) => (before[index] === after[index] ? undefined : after[index])
}

const LF = 10

/** Where lines begin, found out as far as it is asked for. */
class LineStarts {
  readonly #buffer: Buffer
  readonly #known = [0]

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  /** @param line from 1; beyond the last, the end. */
  of(line: number): number {
    while (this.#known.length < line) {
      const feed = this.#buffer.indexOf(LF, this.#known.at(-1))
      if (feed < 0) return this.#buffer.length
      this.#known.push(feed + 1)
    }
    return this.#known[line - 1] ?? 0
  }
}
