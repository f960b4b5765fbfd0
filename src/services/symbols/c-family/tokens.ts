/** The tokens of C and C++, without comments, and the directives between them. One pass; nothing is looked up twice. */

/** A name, a mark of one sign (`::` is one too), or a literal. */
export type TokenKind = 'name' | 'mark' | 'literal'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether it is the first one of its line. */
  readonly isFirst: boolean
}

export interface Directive {
  /** `if`, `else`, `define` and so on; empty for a lone `#`. */
  readonly word: string
  readonly rest: string
  readonly start: number
  readonly end: number
  /** How many tokens stand before it. */
  readonly at: number
}

export interface Tokens {
  readonly tokens: readonly Token[]
  readonly directives: readonly Directive[]
}

const SPACE = /(?:[ \t\r\f\v]|\\\r?\n)+/y
const LINE_COMMENT = /\/\/(?:[^\n\\]|\\[\s\S])*/y
const NAME = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y
const NUMBER = /\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*/y
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"?/y
const CHARACTER = /'(?:[^'\\\n]|\\[\s\S])*'?/y
const DIRECTIVE = /#(?:[^\n\\/]|\\[\s\S]|\/(?![/*])|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\/\/[^\n]*)*/y
const RAW_PREFIX = /^(?:u8|[uUL])?R$/
const PREFIX = /^(?:u8|[uUL])$/

class Reader {
  readonly tokens: Token[] = []
  readonly directives: Directive[] = []
  readonly #text: string
  #at = 0
  #isFirst = true

  constructor(text: string) {
    this.#text = text
  }

  read(): Tokens {
    while (this.#at < this.#text.length) this.#step()
    return this
  }

  #step(): void {
    const sign = this.#text.charAt(this.#at)
    if (sign === '\n') {
      this.#at += 1
      this.#isFirst = true
    } else if (this.#took(SPACE) !== '' || (sign === '/' && this.#tookComment())) return
    else if (sign === '#' && this.#isFirst) this.#directive()
    else this.#token(sign)
  }

  #took(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #tookComment(): boolean {
    if (this.#text.startsWith('/*', this.#at)) {
      const end = this.#text.indexOf('*/', this.#at + 2)
      this.#at = end < 0 ? this.#text.length : end + 2
      return true
    }
    return this.#took(LINE_COMMENT) !== ''
  }

  #directive(): void {
    const start = this.#at
    const whole = this.#took(DIRECTIVE)
    const [, word = '', rest = ''] = /^#\s*([a-z_]*)\s*([\s\S]{0,200})/.exec(whole) ?? []
    this.directives.push({ word, rest, start, end: this.#at, at: this.tokens.length })
  }

  #token(sign: string): void {
    const start = this.#at
    const name = this.#took(NAME)
    const next = this.#text.charAt(this.#at)
    if (name !== '' && next === '"' && RAW_PREFIX.test(name)) this.#add('literal', start, this.#rawEnd())
    else if (name !== '' && (next === '"' || next === "'") && PREFIX.test(name)) this.#add('literal', start, this.#literalEnd())
    else if (name !== '') this.#add('name', start, this.#at)
    else if (sign === '"' || sign === "'" || this.#took(NUMBER) !== '') this.#add('literal', start, this.#literalEnd())
    else this.#add('mark', start, start + (this.#text.startsWith('::', start) ? 2 : 1))
  }

  #literalEnd(): number {
    const sign = this.#text.charAt(this.#at)
    if (sign === '"') this.#took(STRING)
    else if (sign === "'") this.#took(CHARACTER)
    return this.#at
  }

  #rawEnd(): number {
    const [, mark] = /^"([^()\\\s]{0,16})\(/.exec(this.#text.slice(this.#at, this.#at + 19)) ?? []
    if (mark === undefined) return this.#literalEnd()
    const end = this.#text.indexOf(`)${mark}"`, this.#at)
    return end < 0 ? this.#text.length : end + mark.length + 2
  }

  #add(kind: TokenKind, start: number, end: number): void {
    this.tokens.push({ kind, text: kind === 'literal' ? '' : this.#text.slice(start, end), start, end, isFirst: this.#isFirst })
    this.#at = end
    this.#isFirst = false
  }
}

export const tokensOf = (text: string): Tokens => new Reader(text).read()
