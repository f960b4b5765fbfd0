/**
 * Walks the scopes of a file: finds the macros around each declaration, and blanks the bodies of functions but for
 * the types that are declared in them.
 */

import { classNameOf, isLocalType, kindOf } from './braces.ts'
import type { Range } from './conditionals.ts'
import { macrosIn } from './declaration-macros.ts'
import { AFTER, isAssigned, MACRO, type Statement } from './statement.ts'

/** Parameters with their types after them, as C had it at first, take at most so many tokens. */
const MAX_OLD_PARAMETERS = 400
/** Bodies within types within bodies. */
const MAX_BODIES = 40
const CAPITALS = /^[A-Z][A-Z0-9_]*$/
const LABEL = /^(?:public|private|protected|signals)$/

export class Scopes {
  readonly #all: Statement
  readonly #blanked: Range[] = []
  /** The names of the classes around; empty for other scopes. */
  readonly #open: string[] = []
  #at = 0
  /** Where the declaration that is read begins. */
  #from = 0
  /** Whether what is read stands behind the braces of a type: names of variables, no macros. */
  #isTail = false
  #bodies = 0
  #head: { readonly from: number; readonly outer: readonly string[] } = { from: -1, outer: [] }

  constructor(all: Statement) {
    this.#all = all
  }

  /** @returns what is to be blanked. */
  read(): readonly Range[] {
    while (this.#at < this.#all.tokens.length) this.#step()
    this.#finish(this.#at)
    return this.#blanked
  }

  #step(): void {
    const at = this.#at
    const text = this.#all.text(at)
    if (text === ';') this.#finish(at + 1)
    else if (text === '}') {
      this.#finish(at)
      this.#isTail = (this.#open.pop() ?? '') !== ''
      this.#from = this.#at = at + 1
    } else if (text === ':' && at > this.#from && at <= this.#from + 2 && LABEL.test(this.#all.text(this.#from))) this.#from = this.#at = at + 1
    else if (at > this.#from && this.#isMacroAlone(at)) this.#finish(at)
    else if (text === '{') this.#brace(at)
    else if (text === '(' || text === '[') {
      this.#at = this.#all.afterBracket(at)
      if (text === '(') this.#oldParameters(at)
    } else this.#at += 1
  }

  /** A macro that is a line of its own is over there, whatever comes next. */
  #isMacroAlone(at: number): boolean {
    const { tokens } = this.#all
    const [first, next] = [tokens[this.#from], tokens[at]]
    if (this.#isTail || first?.isFirst !== true || next?.isFirst !== true || !CAPITALS.test(first.text) || first.text === this.#open.at(-1)) return false
    const isCall = this.#all.text(this.#from + 1) === '(' && this.#all.afterBracket(this.#from + 1) === at
    if (!isCall && (at !== this.#from + 1 || first.text.length < 4)) return false
    if (/^[}~[]$/.test(next.text)) return true
    return next.kind === 'name' && (CAPITALS.test(next.text) || this.#all.text(at + 1) !== '(')
  }

  /** The declaration ends before `end`. */
  #finish(end: number): void {
    if (end > this.#from && !this.#isTail) this.#blanked.push(...macrosIn(this.#all, { from: this.#from, end, holder: this.#open.at(-1) ?? '' }))
    this.#from = this.#at = end
    this.#isTail = false
  }

  #brace(at: number): void {
    const outer = this.#outer(at)
    const kind = kindOf(outer)
    const after = this.#all.afterBracket(at)
    if ((kind === 'body' || kind === 'value') && this.#all.isBracket(at)) {
      if (kind === 'value') this.#blankBetween(at, after - 1)
      else this.#body(at, after - 1)
      this.#at = after
      if (this.#endsWith(at, outer)) this.#finish(after)
      return
    }
    this.#finish(at + 1)
    if (kind === 'enum') {
      this.#from = this.#at = after
      this.#isTail = true
    } else this.#open.push(kind === 'class' ? classNameOf(outer) || '?' : '')
  }

  /** The declaration's tokens before its first brace, without what stands in brackets. */
  #outer(end: number): readonly string[] {
    if (this.#head.from !== this.#from) this.#head = { from: this.#from, outer: this.#all.outer(this.#from, end).map((place) => this.#all.text(place)) }
    return this.#head.outer
  }

  #blankBetween(opening: number, closing: number): void {
    const { tokens } = this.#all
    this.#blanked.push({ start: tokens[opening]?.end ?? 0, end: tokens[closing]?.start ?? 0 })
  }

  #body(opening: number, closing: number): void {
    const outside = [this.#from, this.#open.length] as const
    let gap = opening
    this.#bodies += 1
    for (let at = opening + 1; at < closing && this.#bodies < MAX_BODIES; ) {
      if (isLocalType(this.#all, at, closing)) {
        this.#blankBetween(gap, at)
        at = this.#localType(at, closing)
        gap = at - 1
      } else at += 1
    }
    this.#blankBetween(gap, closing)
    this.#bodies -= 1
    this.#from = outside[0]
    this.#open.length = outside[1]
  }

  /** @returns the place after it. */
  #localType(at: number, closing: number): number {
    const depth = this.#open.length
    this.#from = this.#at = at
    do this.#step()
    while (this.#at < closing && (this.#open.length > depth || this.#isTail || this.#from === at))
    this.#isTail = false
    return this.#at
  }

  /** Whether a body ends its declaration, as the value of a variable or of a member before the body does not. */
  #endsWith(at: number, outer: readonly string[]): boolean {
    if (isAssigned(outer)) return false
    const [before, next] = [this.#all.text(at - 1), this.#all.text(this.#at)]
    return before === ')' || AFTER.test(before) || !outer.includes(':') || !/^[,{]$/.test(next)
  }

  /** `int f(a, b) int a; char *b; {`: the types go. */
  #oldParameters(opening: number): void {
    const from = this.#at
    if (from - opening < 3 || !this.#all.isName(from) || (AFTER.test(this.#all.text(from)) && !this.#all.isName(from + 1))) return
    if (MACRO.test(this.#all.text(from)) && this.#all.text(from + 1) === '(') return
    for (let at = opening + 1; at < from - 1; at += 1) if (this.#all.isName(at) === ((at - opening) % 2 === 0)) return
    for (let at = from; at < from + MAX_OLD_PARAMETERS; at += 1) {
      const text = this.#all.text(at)
      if (text === '{' && this.#all.text(at - 1) === ';') {
        const after = this.#all.afterBracket(at)
        this.#blankBetween(from - 1, at)
        this.#body(at, after - 1)
        return this.#finish(after)
      }
      if (!this.#all.isName(at) && !/^[,;*()[\]]$/.test(text)) return
    }
  }
}
