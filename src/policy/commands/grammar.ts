/**
 * A positive grammar of a program's arguments, as data: what is not listed does not exist. Options are spelled as the
 * program takes them and never shortened; single letters are bundled only where each is listed; every value and every
 * operand has a type.
 */

import { VALUE_TYPES } from './value-types.ts'
import type { ValueType } from './value-types.ts'


export interface Operands {
  readonly type: ValueType
  readonly min?: number
  readonly max?: number
}

export interface Arguments {
  /**
   * Blank-separated: `-a` and `--all` take no value; `-n=COUNT` and `--lines=COUNT` take one, in the same word or the
   * next; `--color[=WORD]` takes one in the same word only; `--merged=REVISION?` takes any word that follows and does
   * without where none does; `--arg=NAME+TEXT` takes the two next words; `-#` is a number by itself, such as `-5`.
   */
  readonly options?: string
  /** Whether there are no options at all: every word is an operand, a dash before it or not. */
  readonly literal?: boolean
  /** Whether a single dash begins a whole word, as for ip and find. */
  readonly dashWords?: boolean
  /** Whether the value of a single letter must be a word of its own. */
  readonly valuesApart?: boolean
  /** Operands one by one: those of the list first, the last for all that follow. */
  readonly operands?: readonly Operands[]
  /** Options that stand for the first operand: where one is given, the operands begin with the second of the list. */
  readonly firstGivenBy?: string
  /** Options without one of which there may be no operand. */
  readonly operandsNeed?: string
  /** Whether the first word must be an option: for a program that would read any other as letters of options, and for one that needs one where it has no subcommand. */
  readonly optionFirst?: boolean
  /** What it looks at where no operand is given. */
  readonly looksAt?: string
  /** Instead of a type: all operands together, joined by blanks. */
  readonly form?: RegExp
}

export interface Grammar extends Arguments {
  /** Where the program is; the first that exists and belongs to the system counts. */
  readonly places: readonly string[]
  /** Words that must follow the program, each with arguments of its own. No option may stand before one. */
  readonly subcommands?: Readonly<Record<string, Arguments>>
  /** Words that may stand before a subcommand. */
  readonly before?: readonly string[]
  /** Whether a subcommand is optional. */
  readonly bare?: boolean
  /** Whether characters that a shell would read may stand in its arguments as data. */
  readonly takesAnyText?: boolean
  /** Whether a line may end inside a word: each type still says whether it takes that. */
  readonly takesLines?: boolean
  /** The options by which it only tells of itself, where they are not `--help` and `--version`. */
  readonly tellsOfItself?: readonly string[]
  /** What the program must see of the machine, where a sandbox would hide it. */
  readonly sees?: readonly ('network' | 'processes' | 'home')[]
  /** The option, up to its value, by which it passes over names below a folder; each run gets it for all that the path policy hides. */
  readonly leavesOut?: string
  /** Words that every run gets before the caller's own. */
  readonly adds?: readonly string[]
  /** Why it is judged but never run, where there is a safer way. */
  readonly neverRun?: string
}

export interface Option {
  readonly name: string
  readonly value: 'none' | 'needed' | 'joined' | 'unless-last' | 'two'
  readonly type: ValueType | undefined
  /** Of the second of two values. */
  readonly second?: ValueType | undefined
}

export type ParsedOptions = { readonly ok: true; readonly options: ReadonlyMap<string, Option>; readonly takesNumber: boolean } | { readonly ok: false; readonly problem: string }

const SPEC = /^(-[A-Za-z0-9]|-[A-Za-z][\w-]+|--[A-Za-z][\w-]*)(?:=([A-Z]+)|\[=([A-Z]+)\]|=([A-Z]+)\?|=([A-Z]+)\+([A-Z]+))?$/

const isType = (type: string | undefined): type is ValueType | undefined => type === undefined || Object.hasOwn(VALUE_TYPES, type)

/** Reads the list of options. */
export function parseOptions(text: string): ParsedOptions {
  const options = new Map<string, Option>()
  let takesNumber = false
  for (const spec of text.split(/\s+/).filter(Boolean)) {
    if (spec === '-#') {
      takesNumber = true
      continue
    }
    const [, name = '', needed, joined, unlessLast, first, second] = SPEC.exec(spec) ?? []
    const type = needed ?? joined ?? unlessLast ?? first
    if (name === '' || !isType(type) || !isType(second)) return { ok: false, problem: `"${spec.slice(0, 40)}" is not an option such as -a, --all, -n=COUNT or --color[=WORD]` }
    const value = needed !== undefined ? 'needed' : joined !== undefined ? 'joined' : unlessLast !== undefined ? 'unless-last' : first !== undefined ? 'two' : 'none'
    options.set(name, { name, value, type, second })
  }
  return { ok: true, options, takesNumber }
}
