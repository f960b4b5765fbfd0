/**
 * The macros of one declaration: attributes before, within and after it, and calls that stand where declarations do.
 * A name in capitals counts as a macro where what is left without it still is a declaration.
 */

import type { Range } from './conditionals.ts'
import { AFTER, CLASS_KEY, MACRO, SPECIFIER, type Statement } from './statement.ts'

export interface Extent {
  readonly from: number
  readonly end: number
  /** The class around; empty for none. */
  readonly holder: string
}

/** These begin a declaration or its type, so that what stands before them is none. */
const BEGINS = /^(?:static|inline|extern|virtual|constexpr|consteval|constinit|explicit|friend|typedef|mutable|register|thread_local|template|using|namespace|class|struct|union|enum|void|bool|char|short|int|long|float|double|signed|unsigned|auto|wchar_t|char8_t|char16_t|char32_t|typename)$/
/** These stand before one name or more without being a macro. */
const PLAIN_WORD = /^(?:return|goto|else|case|throw|new|delete|operator|public|private|protected|concept|requires|import|module|asm|alignas|static_assert|decltype|await|yield|final|override|noexcept|default|typeof)$/
const BUILT_IN = /^(?:void|bool|char|short|int|long|float|double|signed|unsigned|struct|union|enum|static|extern)$/
const VALUE = /^(?:NULL|TRUE|FALSE|EOF)$/
/** What stands in brackets after these is no name. */
const TAKES = /^(?:decltype|alignas|__attribute__|__declspec|typeof|__typeof__|noexcept|throw|asm|__asm__|explicit|requires|[A-Z][A-Z0-9_]+)$/
const ENDS = /^(?:[=;{:,-]|)$/

export function macrosIn(all: Statement, { from, end, holder }: Extent): readonly Range[] {
  const found: Range[] = []
  let start = from
  while (all.text(start) === 'template' && all.text(start + 1) === '<') {
    const after = all.afterAngles(start + 1, end)
    if (after <= start + 1) break
    found.push(...templateMacros(all, start + 1, after))
    start = after
  }
  return [...found, ...new Declaration(all, { from: start, end, holder }).macros()]
}

/** `template <typename T, ENABLE_IF(…)>`: the parameter goes, with a comma. */
function templateMacros(all: Statement, from: number, end: number): readonly Range[] {
  const found: Range[] = []
  for (const at of all.outer(from + 1, end - 1)) {
    if (!MACRO.test(all.text(at)) || all.text(at + 1) !== '(' || !/^[<,]$/.test(all.text(at - 1))) continue
    const isFirst = all.text(at - 1) === '<'
    let after = all.afterBracket(at + 1)
    while (after < end - 1 && all.text(after) !== ',') after = all.afterBracket(after)
    if (isFirst && all.text(after) === ',') after += 1
    found.push(rangeOf(all, isFirst ? at : at - 1, after))
  }
  return found
}

const rangeOf = (all: Statement, from: number, end: number): Range => ({ start: all.tokens[from]?.start ?? 0, end: all.tokens[end - 1]?.end ?? 0 })

class Declaration {
  readonly #all: Statement
  readonly #places: readonly number[]
  readonly #extent: Extent
  readonly #found: Range[] = []

  constructor(all: Statement, extent: Extent) {
    this.#all = all
    this.#extent = extent
    this.#places = all.outer(extent.from, extent.end)
  }

  /** From the last to the first, so that what stands after each is known to be no macro. */
  macros(): readonly Range[] {
    const kept: number[] = []
    this.#bracketed()
    for (let index = this.#places.length - 1; index >= 0; index -= 1) {
      const at = this.#places[index] ?? 0
      const isCall = this.#all.text(at + 1) === '('
      const next = kept.at(-1) ?? this.#extent.end
      if (index === 0 ? this.#isUnknownWord(at, next) : this.#isWordWithin(index, next)) this.#found.push(rangeOf(this.#all, at, at + 1))
      else if (!this.#mayBeMacro(at)) kept.push(at)
      else if (isCall && this.#unwrap(index)) continue
      else if (isCall && this.#isDefinition(index)) kept.push(at)
      else if (this.#isMacro(index, kept.at(isCall ? -2 : -1) ?? this.#extent.end)) {
        this.#found.push(rangeOf(this.#all, at, isCall ? this.#all.afterBracket(at + 1) : at + 1))
        if (isCall) kept.pop()
      } else {
        if (isCall) this.#callAsType(at, kept.at(-2) ?? this.#extent.end)
        kept.push(at)
      }
    }
    return this.#found
  }

  /** `int (WINAPI *name)(…)` keeps its brackets, `int (name)(…)` needs none. */
  #bracketed(): void {
    for (const [index, at] of this.#places.entries()) {
      if (this.#all.text(at) !== '(' || index === 0) continue
      const [first, after] = [this.#all.text(at + 1), this.#all.afterBracket(at)]
      const isCalled = this.#all.text(after) === '('
      if (MACRO.test(first) && this.#all.text(at + 2) === '*' && this.#all.isName(at + 3)) {
        if (isCalled || (this.#isWrapper(after) && this.#names(index) < 2)) this.#found.push(rangeOf(this.#all, at + 1, at + 2))
      } else if (isCalled && after === at + 3 && this.#all.isName(at + 1) && !TAKES.test(this.#all.text(at - 1))) this.#found.push(rangeOf(this.#all, at, at + 1), rangeOf(this.#all, at + 2, at + 3))
    }
  }

  /** `OF((…))`. */
  #isWrapper(at: number): boolean {
    return MACRO.test(this.#all.text(at)) && this.#all.text(at + 1) === '(' && this.#all.text(at + 2) === '(' && this.#all.afterBracket(at + 2) === this.#all.afterBracket(at + 1) - 1
  }

  /** How many names before a place say what is declared. */
  #names(index: number): number {
    return this.#places.slice(0, index).filter((at) => this.#all.isName(at) && !SPECIFIER.test(this.#all.text(at))).length
  }

  /** `typedef REMOVE_CONST(T) name;`: a type, without what it is given. */
  #callAsType(at: number, next: number): void {
    const after = this.#all.afterBracket(at + 1)
    if (next === after && this.#all.isName(next) && !AFTER.test(this.#all.text(next)) && /^[;=([{,]$/.test(this.#all.text(next + 1))) this.#found.push(rangeOf(this.#all, at + 1, after))
  }

  /** `local int x`: in small letters, but nothing else can stand there. */
  #isUnknownWord(at: number, next: number): boolean {
    const text = this.#all.text(at)
    if (!this.#all.isName(at) || next !== at + 1 || MACRO.test(text) || BEGINS.test(text) || SPECIFIER.test(text) || PLAIN_WORD.test(text)) return false
    const after = this.#all.text(next)
    if (BUILT_IN.test(after)) return true
    if (after === 'const' || after === 'volatile') return this.#all.isTypeAndName(next + 1, this.#extent.end)
    return this.#all.isName(next) && !SPECIFIER.test(after) && !BEGINS.test(after) && !PLAIN_WORD.test(after) && this.#all.isTypeAndName(next, this.#extent.end)
  }

  /** `void _Cdecl name(`: one name too many. */
  #isWordWithin(index: number, next: number): boolean {
    const [at, before] = [this.#places[index] ?? 0, this.#places[index - 1] ?? 0]
    const [text, previous] = [this.#all.text(at), this.#all.text(before)]
    if (!this.#all.isName(at) || next !== at + 1 || !this.#all.isName(next) || this.#all.text(next + 1) !== '(' || PLAIN_WORD.test(text) || PLAIN_WORD.test(this.#all.text(next))) return false
    if (SPECIFIER.test(text) || BEGINS.test(text) || AFTER.test(text)) return false
    return /^[*&>]$/.test(previous) || (this.#all.isName(before) && (BUILT_IN.test(previous) ? !/^(?:static|extern|struct|union|enum)$/.test(previous) : !SPECIFIER.test(previous) && !BEGINS.test(previous) && !MACRO.test(previous) && !PLAIN_WORD.test(previous)))
  }

  /** `TEST(group, name) {`: it stays under its own name, and what it is given says nothing. */
  #isDefinition(index: number): boolean {
    const [opening, brace] = [this.#places[index + 1] ?? 0, this.#places[index + 2] ?? 0]
    if (index > 0 || this.#all.text(brace) !== '{') return false
    const [from, end] = [opening + 1, this.#all.afterBracket(opening) - 1]
    if (end > from) this.#found.push(rangeOf(this.#all, from, end))
    return true
  }

  #mayBeMacro(at: number): boolean {
    const text = this.#all.text(at)
    return this.#all.isName(at) && MACRO.test(text) && text !== this.#extent.holder && !VALUE.test(text)
  }

  #isMacro(index: number, next: number): boolean {
    const [at, before] = [this.#places[index] ?? 0, this.#places[index - 1]]
    const isCall = this.#all.text(at + 1) === '('
    const previous = before === undefined ? '' : this.#all.text(before)
    if (CLASS_KEY.test(previous) || previous === 'enum' || previous === 'namespace') return this.#isBeforeName(next)
    if (AFTER.test(previous) && this.#places.slice(0, index).some((place) => this.#all.text(place) === '(')) return true
    if (previous === '' || SPECIFIER.test(previous) || MACRO.test(previous) || this.#all.tokens[before ?? 0]?.kind === 'literal' || this.#isAttribute(before)) return isCall ? this.#isLeadingCall(at, next) : this.#isLeading(next)
    if (/^[)\]]$/.test(previous) || previous === '(' || previous === '[' || AFTER.test(previous)) return previous !== '(' || index > 1
    if (previous === 'operator' || !(this.#all.isName(before ?? 0) || /^[*&>]$/.test(previous) || previous === '<')) return false
    if (isCall) return this.#isTrailingCall(index, next)
    return next < this.#extent.end && (this.#all.isName(next) || /^[*&]$/.test(this.#all.text(next)))
  }

  #isAttribute(place: number | undefined): boolean {
    return place !== undefined && this.#all.text(place) === '[' && this.#all.text(place + 1) === '['
  }

  /** `class EXPORT name {`, and not `struct NAME name;`. */
  #isBeforeName(next: number): boolean {
    if (next >= this.#extent.end || !this.#all.isName(next)) return false
    const last = this.#all.text(this.#extent.end - 1)
    return last === '{' || last === '}' || this.#places.some((at) => at > next && /^[:<]$/.test(this.#all.text(at)))
  }

  #isLeading(next: number): boolean {
    const { end, holder } = this.#extent
    if (next >= end || this.#all.text(next) === ';') return true
    const [text, after] = [this.#all.text(next), this.#all.text(next + 1)]
    if (text === '~' || BEGINS.test(text) || (text === '[' && after === '[')) return true
    if (text === 'operator') return this.#all.isName(next + 1) && !/^(?:new|delete|co_await)$/.test(after)
    if (text === 'const' || text === 'volatile') return this.#all.isTypeAndName(next + 1, end)
    if (!this.#all.isName(next) && text !== '::') return false
    if (text === holder && after === '(') return true
    return this.#all.isTypeAndName(next, end) || this.#isOwnMember(next)
  }

  /** `Name::Name(` and `Name::~Name(`, with or without template arguments. */
  #isOwnMember(from: number): boolean {
    const name = this.#all.text(from)
    const angles = this.#all.text(from + 1) === '<' ? this.#all.afterAngles(from + 1, this.#extent.end) : from + 1
    if (this.#all.text(angles) !== '::') return false
    const last = this.#all.text(angles + 1)
    return last === '~' || (last === name && this.#all.text(angles + 2) === '(')
  }

  #isLeadingCall(at: number, next: number): boolean {
    if (next >= this.#extent.end || this.#all.text(next) === ';') return true
    if (this.#all.tokens[next]?.isFirst === true && this.#all.isName(next)) return true
    return this.#all.text(next) !== '{' && at < next && this.#isLeading(next)
  }

  /** `Mutex lock GUARDED_BY(x);` has a type and a name already. */
  #isTrailingCall(index: number, next: number): boolean {
    return this.#names(index) > 1 && this.#all.text(this.#places[index - 2] ?? 0) !== '::' && (next >= this.#extent.end || ENDS.test(this.#all.text(next)))
  }

  /** `int f OF((int a));` keeps its inner brackets; after parameters it is an attribute. */
  #unwrap(index: number): boolean {
    const [at, before] = [this.#places[index] ?? 0, this.#places[index - 1] ?? 0]
    if (index === 0 || !this.#isWrapper(at)) return false
    const isPointer = this.#all.text(before + 1) === '*' || (MACRO.test(this.#all.text(before + 1)) && this.#all.text(before + 2) === '*' && this.#names(index - 1) < 2)
    if (this.#all.text(before) === '(' && !isPointer) return false
    const after = this.#all.afterBracket(at + 1)
    this.#found.push(rangeOf(this.#all, at, at + 2), rangeOf(this.#all, after - 1, after))
    return true
  }
}
