/** Tokens with their brackets, and what stands at a place of them. */

import type { Token } from './tokens.ts'

/** In capitals, as macros are written; a type of one letter is none. */
export const MACRO = /^[A-Z][A-Z0-9_]+$/
/** Words after the parameters of a function. */
export const AFTER = /^(?:const|noexcept|override|final|volatile|throw|try|requires)$/
export const CLASS_KEY = /^(?:class|struct|union|__interface)$/
/** These say how, not what: a type still follows. */
export const SPECIFIER = /^(?:static|inline|extern|const|volatile|virtual|constexpr|consteval|constinit|explicit|friend|typedef|mutable|register|thread_local|typename|export|__inline|__extension__|__forceinline)$/
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** Arguments of a template are looked through so far, and so many tokens of a declaration. */
const [MAX_ANGLES, MAX_PLACES] = [2_000, 1_000]

/** Whether a declaration gives a value: an equals sign, but in the name of an operator. */
export function isAssigned(outer: readonly string[]): boolean {
  const at = outer.indexOf('=')
  return at >= 0 && !outer.slice(Math.max(0, at - 3), at).includes('operator')
}

export class Statement {
  readonly tokens: readonly Token[]
  /** The place of the bracket that closes the one at a place, or 0. */
  readonly #closing: Int32Array

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
    this.#closing = new Int32Array(tokens.length)
    const open: number[] = []
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind !== 'mark') continue
      if (text in CLOSING) open.push(at)
      else if (text === '}' || text === ')' || text === ']') this.#close(open, at, text)
    }
  }

  /** What a brace closes, it closes with all that was left open within; other brackets close but their like. */
  #close(open: number[], at: number, text: string): void {
    if (text === '}') while (open.length > 0 && this.text(open.at(-1) ?? 0) !== '{') open.pop()
    const last = open.at(-1)
    if (last === undefined || CLOSING[this.text(last)] !== text) return
    this.#closing[last] = at
    open.pop()
  }

  text(at: number): string {
    return this.tokens[at]?.text ?? ''
  }

  isName(at: number): boolean {
    return this.tokens[at]?.kind === 'name'
  }

  /** The place after the bracket at a place and what it holds; after the place itself, where it opens none. */
  afterBracket(at: number): number {
    return Math.max(at, this.#closing[at] ?? 0) + 1
  }

  isBracket(at: number): boolean {
    return (this.#closing[at] ?? 0) > at
  }

  /** The place after the template arguments that open at a place, or the place itself where they are none. */
  afterAngles(from: number, end: number): number {
    let depth = 0
    const last = Math.min(end, from + MAX_ANGLES)
    for (let at = from; at < last; at = this.afterBracket(at)) {
      const text = this.text(at)
      if (text === '<') depth += 1
      else if (text === '>' && this.text(at - 1) !== '-') depth -= 1
      else if (text === ';' || text === '{') return from
      if (depth === 0) return at + 1
    }
    return from
  }

  /** The places from one to another, without what stands in brackets and template arguments. */
  outer(from: number, end: number): readonly number[] {
    const places: number[] = []
    for (let at = from; at < end && places.length < MAX_PLACES; ) {
      places.push(at)
      const after = this.text(at) === '<' && this.text(at - 1) !== 'operator' ? this.afterAngles(at, end) : at
      at = after > at ? after : this.afterBracket(at)
    }
    return places
  }

  /** Whether a type and a name, with whatever belongs to them, stand at a place. */
  isTypeAndName(from: number, end: number): boolean {
    let at = this.text(from) === '::' ? from + 1 : from
    if (!this.isName(at)) return false
    for (at += 1; at < end; ) {
      const text = this.text(at)
      const after = text === '<' ? this.afterAngles(at, end) : at
      if (text === '::' && this.isName(at + 1)) at += 2
      else if (after > at) at = after
      else break
    }
    while (at < end && /^(?:[*&]|const|volatile)$/.test(this.text(at))) at += 1
    if (MACRO.test(this.text(at)) && this.text(at + 1) === '(' && this.text(at + 2) === '(') return false
    return at < end && (this.isName(at) || this.isNameInBrackets(at))
  }

  /** `(*name)` and `(name)` where parameters follow. */
  isNameInBrackets(at: number): boolean {
    if (this.text(at) !== '(' || !this.isBracket(at)) return false
    return /^[*&]$/.test(this.text(at + 1)) || (this.isName(at + 1) && this.text(at + 2) === ')' && this.text(at + 3) === '(')
  }
}
