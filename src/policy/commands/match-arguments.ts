/** Reads words by a grammar, the way getopt_long(3) would read them, and stops at the first that is not listed. */

import { parseOptions } from './grammar.ts'
import type { Arguments, Option, ParsedOptions } from './grammar.ts'
import { PLACES, VALUE_TYPES } from './value-types.ts'
import type { ValueType } from './value-types.ts'

export type Read = { readonly ok: true; readonly files: readonly string[] } | { readonly ok: false; readonly word: number; readonly why: 'option' | 'value' | 'operand' }

type Parsed = Extract<ParsedOptions, { ok: true }>

const parsed = new WeakMap<Arguments, Parsed>()

/** @throws TypeError for a list of options that cannot be read: configuration is checked before. */
function optionsOf(grammar: Arguments): Parsed {
  const known = parsed.get(grammar)
  if (known) return known
  const read = parseOptions(grammar.options ?? '')
  if (!read.ok) throw new TypeError(read.problem)
  parsed.set(grammar, read)
  return read
}

/**
 * A program takes `..` behind a link for what is above the link's target, and `~` for a name; the path policy goes by
 * names and knows a home. A word that would be two places is neither. Only at the start does `..` mean the same to both.
 */
const isOnePlace = (text: string): boolean => !text.startsWith('~') && !/(?:^|\/)\.\.(?:\/|$)/.test(text.replace(/^(?:\.{1,2}(?:\/+|$))*/, ''))

class Reader {
  readonly #grammar: Arguments
  readonly #options: Parsed
  readonly #words: readonly string[]
  readonly #files: string[] = []
  readonly #operands: { readonly text: string; readonly word: number }[] = []
  readonly #given = new Set<string>()
  #at = 0
  #ended = false

  constructor(grammar: Arguments, words: readonly string[]) {
    this.#grammar = grammar
    this.#options = optionsOf(grammar)
    this.#words = words
  }

  read(): Read {
    if (this.#grammar.optionFirst === true && this.#words[0]?.startsWith('-') !== true) return { ok: false, word: 0, why: 'option' }
    for (; this.#at < this.#words.length; this.#at += 1) {
      const why = this.#word(this.#words[this.#at] ?? '')
      if (why !== undefined) return { ok: false, word: this.#at, why }
    }
    const wrong = this.#wrongOperand()
    if (wrong !== undefined) return { ok: false, word: wrong, why: 'operand' }
    const { looksAt } = this.#grammar
    return { ok: true, files: this.#operands.length === 0 && looksAt !== undefined ? [...this.#files, looksAt] : this.#files }
  }

  #word(word: string): 'option' | 'value' | undefined {
    if (this.#ended || this.#grammar.literal === true || !word.startsWith('-')) {
      this.#operands.push({ text: word, word: this.#at })
      return undefined
    }
    if (word === '--') {
      this.#ended = true
      return undefined
    }
    if (this.#options.takesNumber && /^-\d{1,9}$/.test(word)) return undefined
    if (word.startsWith('--')) return this.#long(word)
    if (this.#grammar.dashWords === true) return this.#whole(word)
    return this.#letters(word.slice(1))
  }

  #option(name: string): Option | undefined {
    this.#given.add(name)
    return this.#options.options.get(name)
  }

  #long(word: string): 'option' | 'value' | undefined {
    const equals = word.indexOf('=')
    const option = this.#option(equals < 0 ? word : word.slice(0, equals))
    if (!option) return 'option'
    if (equals < 0) return this.#following(option)
    if (option.value === 'two') return 'option'
    return option.value === 'none' ? 'option' : this.#value(option, word.slice(equals + 1))
  }

  #whole(word: string): 'option' | 'value' | undefined {
    const option = this.#option(word)
    if (!option) return 'option'
    return this.#following(option)
  }

  #letters(letters: string): 'option' | 'value' | undefined {
    for (let at = 0; at < letters.length; at += 1) {
      const option = this.#option(`-${letters[at] ?? ''}`)
      if (!option) return 'option'
      if (option.value === 'none') continue
      const rest = letters.slice(at + 1)
      if (rest !== '') return this.#grammar.valuesApart === true ? 'value' : this.#value(option, rest)
      return this.#following(option)
    }
    return letters === '' ? 'option' : undefined
  }

  /** The values that are words of their own. */
  #following(option: Option): 'value' | undefined {
    if (option.value === 'needed') return this.#next(option.type)
    if (option.value === 'two') return this.#next(option.type) ?? this.#next(option.second)
    return option.value === 'unless-last' && this.#at + 1 < this.#words.length ? this.#next(option.type) : undefined
  }

  #next(type: ValueType | undefined): 'value' | undefined {
    this.#at += 1
    const word = this.#words[this.#at]
    return word === undefined ? 'value' : this.#value({ type }, word)
  }

  #value({ type }: Pick<Option, 'type'>, text: string): 'value' | undefined {
    return this.#takes(type ?? 'TEXT', text) ? undefined : 'value'
  }

  #takes(type: ValueType, text: string): boolean {
    if (!VALUE_TYPES[type].test(text)) return false
    if (!PLACES.has(type) || (type === 'VOLUME' && text === '/')) return true
    this.#files.push(text)
    return isOnePlace(text)
  }

  #isGiven(names: string): boolean {
    return names.split(' ').some((name) => this.#given.has(name))
  }

  /** @returns the first word that does not fit, or the end where one is missing. */
  #wrongOperand(): number | undefined {
    const { form, operands: listed = [], operandsNeed, firstGivenBy } = this.#grammar
    const texts = this.#operands.map(({ text }) => text)
    if (operandsNeed !== undefined && texts.length > 0 && !this.#isGiven(operandsNeed)) return this.#operands[0]?.word
    if (form) return form.test(texts.join(' ')) ? undefined : (this.#operands[0]?.word ?? this.#words.length)
    const operands = firstGivenBy !== undefined && this.#isGiven(firstGivenBy) ? listed.slice(1) : listed
    const types = operands.flatMap(({ type, max = texts.length }) => Array.from({ length: Math.min(max, texts.length) }, () => type))
    for (const [index, { text, word }] of this.#operands.entries()) {
      const type = types[index]
      if (type === undefined || !this.#takes(type, text)) return word
    }
    return texts.length < operands.reduce((sum, { min = 0 }) => sum + min, 0) ? this.#words.length : undefined
  }
}

/** What the words name, or the first that the grammar does not have. */
export const matchArguments = (grammar: Arguments, words: readonly string[]): Read => new Reader(grammar, words).read()
