/**
 * Search by expression, through re2js alone: its time grows with the text and not with what the expression could
 * be made to try. Expressions and lines are bounded too, so that no single step takes long.
 */

import { RE2JS, RE2JSException } from 're2js'
import { type Refusal, refusal } from '../../kernel/refusal.ts'
import { blocksOf, textOf, withoutCr } from './blocks.ts'
import type { Hit, Matcher, Step } from './matcher-port.ts'
import { snippetOf } from './snippet.ts'

/** Longer ones take tens of milliseconds to compile. */
const PATTERN_CHARS = 1000
/** Instructions of the compiled program; counters multiply them. */
const PROGRAM_SIZE = 2000
/** Instructions times characters of one line, at some 30 ns each. */
const LINE_STEPS = 2_000_000
/** Lines shorter than this in sum are searched without a pause. */
const PAUSE_CHARS = 4096

const invalid = (hint: string): Refusal => refusal('search.pattern', hint, 'pattern')

const TOO_LARGE = 'the expression is too large'
const UNSUPPORTED = 'write an RE2 expression: groups and classes closed, no look-ahead, no back-references'

/** Quoted text, characters by their code units or their point, the name of a kind of class, and any other escape. */
const SPELLED = /\\Q.*?(?:\\E|$)|((?:\\u[0-9A-Fa-f]{4})+)|\\u\{([0-9A-Fa-f]+)\}|(\\[pP]\{)(?:Script|sc|General_Category|gc)=|\\./gsu

interface RegexOptions {
  readonly caseFold: boolean
  readonly snippetMaxChars: number
}

/** Characters and classes as JavaScript spells them, and others with it, in the spelling that RE2 has for the same. */
const inRe2 = (pattern: string): string =>
  pattern.replace(SPELLED, (written, units?: string, point?: string, kind?: string) => {
    if (units !== undefined) return Array.from(JSON.parse(`"${units}"`) as string, (character) => `\\x{${character.codePointAt(0)?.toString(16)}}`).join('')
    return point === undefined ? (kind ?? written) : `\\x{${point}}`
  })

const compiled = (pattern: string, caseFold: boolean): RE2JS => {
  if (pattern.length > PATTERN_CHARS) throw invalid(TOO_LARGE)
  try {
    const expression = RE2JS.compile(inRe2(pattern), RE2JS.LOOKBEHINDS | (caseFold ? RE2JS.CASE_INSENSITIVE : 0))
    if (expression.programSize() > PROGRAM_SIZE) throw invalid(TOO_LARGE)
    return expression
  } catch (error) {
    // The engine's own message quotes the expression.
    if (error instanceof RE2JSException) throw invalid(UNSUPPORTED)
    throw error
  }
}

class RegexMatcher implements Matcher {
  readonly #expression: RE2JS
  readonly #lineChars: number
  readonly #snippetMaxChars: number

  constructor(expression: RE2JS, snippetMaxChars: number) {
    this.#expression = expression
    this.#lineChars = Math.floor(LINE_STEPS / Math.max(1, expression.programSize()))
    this.#snippetMaxChars = snippetMaxChars
  }

  *search(document: Uint8Array): Generator<Step> {
    const buffer = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
    let line = 1
    for (const { from, to, isCut } of blocksOf(buffer)) {
      line = yield* this.#searchLines(textOf(buffer, from, to), line)
      if (isCut) yield 'long-line'
    }
  }

  /** @returns the number of the line after the last. */
  *#searchLines(text: string, first: number): Generator<Step, number> {
    let line = first
    let paused = 0
    for (let start = 0; start <= text.length; line += 1) {
      const feed = text.indexOf('\n', start)
      const end = feed < 0 ? text.length : feed
      const written = withoutCr(text.slice(start, end))
      const hit = this.#hitIn(written, line)
      if (hit !== undefined) yield hit
      if (written.length > this.#lineChars) yield 'long-line'
      start = end + 1
      if (start - paused >= PAUSE_CHARS) {
        yield 'pause'
        paused = start
      }
    }
    yield 'pause'
    return line
  }

  #hitIn(written: string, line: number): Hit | undefined {
    const text = written.slice(0, this.#lineChars)
    // Most lines do not match, and saying only that is cheaper.
    if (!this.#expression.test(text)) return undefined
    const found = this.#expression.matcher(text)
    if (!found.find()) return undefined
    const [at, end] = [found.start(), found.end()]
    const { snippet, isCut } = snippetOf(written, { at, length: end - at }, this.#snippetMaxChars)
    return { line, column: at + 1, snippet, isCut }
  }
}

/** @throws Refusal `search.pattern`. */
export const regexMatcher = (pattern: string, { caseFold, snippetMaxChars }: RegexOptions): Matcher =>
  new RegexMatcher(compiled(pattern, caseFold), snippetMaxChars)
