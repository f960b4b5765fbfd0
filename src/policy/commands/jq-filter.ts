/**
 * Reads a filter of jq by the rules of its own lexer, so that a word counts by what it is: a field, a key, a variable
 * or the text of a string may be called `env`, and only the function prints the environment.
 */

/** What reads the environment, loads a file or names one. */
const REFUSED_NAMES: ReadonlySet<string> = new Set(['env', 'import', 'include', 'modulemeta', 'get_search_list'])
const REFUSED_VARIABLES: ReadonlySet<string> = new Set(['ENV'])
/** Braces in which a comma may part other things than keys, for what names a value or a function has begun there. */
const DOUBTFUL_BRACES = '{?'
const BINDS: ReadonlySet<string> = new Set(['def', 'reduce', 'foreach', 'label', 'as'])
const INTERPOLATION = '\\('
const CLOSES: Readonly<Record<string, readonly string[]>> = { ')': ['(', INTERPOLATION], ']': ['['], '}': ['{', DOUBTFUL_BRACES], end: ['if'] }
const CONTROL = /[^\P{Cc}\t\n]/u

type Kind = 'blank' | 'comment' | 'quote' | 'field' | 'name' | 'number' | 'format' | 'sign'

/** As jq takes them: the longest counts, and of two the first. */
const TOKENS: readonly (readonly [Kind, RegExp])[] = [
  ['blank', /[ \t\n]+/y],
  ['comment', /#[^\n]*/y],
  ['quote', /"/y],
  ['format', /@\w+/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y],
  ['field', /\.[A-Za-z_]\w*/y],
  ['sign', /\.\.|\?\/\/|[^\s"]/uy],
]
const STRING_PART = /[^\\"]+|\\[^(]/uy

/** Whether the filter only looks at its input. What cannot be read is taken for one that does more. */
export const isPureFilter = (text: string): boolean => !CONTROL.test(text) && new FilterReader(text).isPure()

class FilterReader {
  readonly #text: string
  /** What is open: brackets, `if`, a string, and the bracket of an interpolation. */
  readonly #open: string[] = []
  #at = 0
  /** The last token that is neither blank nor comment. */
  #last = ''

  constructor(text: string) {
    this.#text = text
  }

  isPure(): boolean {
    while (this.#at < this.#text.length) {
      if (!(this.#open.at(-1) === '"' ? this.#string() : this.#token())) return false
    }
    return this.#open.length === 0
  }

  #string(): boolean {
    if (this.#text.startsWith(INTERPOLATION, this.#at)) return this.#enter(INTERPOLATION, INTERPOLATION.length)
    if (this.#text[this.#at] === '"') {
      this.#open.pop()
      this.#last = 'string'
      this.#at += 1
      return true
    }
    return this.#match(STRING_PART) !== undefined
  }

  #token(): boolean {
    for (const [kind, pattern] of TOKENS) {
      const token = this.#match(pattern)
      if (token !== undefined) return this.#judge(kind, token)
    }
    return false
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #judge(kind: Kind, token: string): boolean {
    if (kind === 'blank') return true
    // Later releases go on with such a comment in the next line, earlier ones do not.
    if (kind === 'comment') return !token.endsWith('\\')
    if (kind === 'quote') return this.#enter('"', 0)
    const isPlain = kind === 'name' ? this.#name(token) : kind === 'sign' ? this.#sign(token) : true
    this.#last = token
    return isPlain
  }

  #enter(opening: string, length: number): boolean {
    this.#open.push(opening)
    this.#last = opening
    this.#at += length
    return true
  }

  #name(name: string): boolean {
    const own = name.slice(name.lastIndexOf(':') + 1)
    // Blanks and comments may stand between the sign and the name.
    if (this.#last === '$') return !REFUSED_VARIABLES.has(own)
    if (this.#isKey()) return true
    if (BINDS.has(name) && this.#open.at(-1) === '{') this.#open.splice(-1, 1, DOUBTFUL_BRACES)
    if (name === 'if') this.#open.push('if')
    if (name === 'end') return this.#close('end')
    return !REFUSED_NAMES.has(own)
  }

  /** A comma parts keys only where nothing else is open inside the braces. */
  #isKey(): boolean {
    return this.#last === '{' || (this.#last === ',' && this.#open.at(-1) === '{')
  }

  #sign(sign: string): boolean {
    if (sign === '(' || sign === '[' || sign === '{') this.#open.push(sign)
    return Object.hasOwn(CLOSES, sign) ? this.#close(sign) : true
  }

  #close(closing: string): boolean {
    return CLOSES[closing]?.includes(this.#open.pop() ?? '') === true
  }
}
