/**
 * A positive grammar of a program's arguments, as data: what is not listed does not exist. Options are spelled as the
 * program takes them and never shortened; single letters are bundled only where each is listed; every value and every
 * operand has a type.
 */

/** What a value may look like. `FILE` also goes through the path policy. */
export const VALUE_TYPES = {
  COUNT: /^\d{1,9}$/,
  SIGNED: /^[+-]?\d{1,9}$/,
  SIZE: /^\d{0,12}(?:[KMGTPEZY](?:i?B)?|[kb])?$/,
  WORD: /^[A-Za-z0-9][\w.-]{0,63}$/,
  NAMES: /^[\w%+-][\w%.,:+-]{0,255}$/,
  COLUMNS: /^(?:(?:pid|ppid|pgid|sid|uid|user|ruser|euser|gid|group|rgroup|egroup|comm|ucmd|ucomm|%cpu|pcpu|%mem|pmem|rss|rssize|vsz|vsize|sz|stat|state|s|start|start_time|stime|lstart|etime|etimes|time|times|cputime|ni|nice|pri|tty|tt|psr|nlwp|thcount|tid|lwp|wchan|cls|class|rtprio|f|flags|unit|slice)(?:=\w*)?(?:,|$))+$/,
  TEXT: /^[^\p{Cc}]*$/u,
  DATE: /^[\w .:/,+@-]{1,100}$/,
  FORMAT: /^\+[\w \t%:.,/_^#+-]*$/,
  FILE: /^(?!-$)[^\p{Cc}]+$/u,
  REVISION: /^[\w@.][\w@./^{}:~+-]{0,255}$/,
  /** A word, or several with commas, as in `pods,services` and `deploy/x`. */
  OBJECTS: /^[A-Za-z0-9][\w.,:/@-]{0,255}$/,
  PACKAGE: /^@?[a-z0-9A-Z][\w.@/^~*-]{0,255}$/,
  /** The JSON language without its way to load files. */
  JQ: /^(?!.*(?:\b(?:import|include)\s*["A-Za-z]|\b(?:modulemeta|get_search_list)\b|\$ENV|(?<![.\w"])env\b))[^\p{Cc}]*$/su,
  /** A colon would name another machine. */
  ARCHIVE: /^(?!-$)[^\p{Cc}:]+$/u,
  /** Not by a template in a file. */
  OUTPUT: /^(?!.*file)[^\p{Cc}]*$/su,
  OBJECT: /^[A-Za-z0-9][\w.:/@-]{0,255}$/,
} as const satisfies Record<string, RegExp>

export type ValueType = keyof typeof VALUE_TYPES

export interface Operands {
  readonly type: ValueType
  readonly min?: number
  readonly max?: number
}

export interface Arguments {
  /**
   * Blank-separated: `-a` and `--all` take no value; `-n=COUNT` and `--lines=COUNT` take one, in the same word or the
   * next; `--color[=WORD]` takes one in the same word only; `-#` is a number by itself, such as `-5`.
   */
  readonly options?: string
  /** Whether a single dash begins a whole word, as for ip and find. */
  readonly dashWords?: boolean
  /** Whether the value of a single letter must be a word of its own. */
  readonly valuesApart?: boolean
  /** Operands one by one: those of the list first, the last for all that follow. */
  readonly operands?: readonly Operands[]
  /** Options that stand for the first operand: where one is given, the operands begin with the second of the list. */
  readonly firstGivenBy?: string
  /** Whether the first word must be an option, for a program that would read any other as letters of options. */
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
  /** Whether a subcommand is optional. */
  readonly bare?: boolean
  /** Whether characters that a shell would read may stand in its arguments as data. */
  readonly takesAnyText?: boolean
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
  readonly value: 'none' | 'needed' | 'joined'
  readonly type: ValueType | undefined
}

export type ParsedOptions = { readonly ok: true; readonly options: ReadonlyMap<string, Option>; readonly takesNumber: boolean } | { readonly ok: false; readonly problem: string }

const SPEC = /^(-[A-Za-z0-9]|-[A-Za-z][\w-]+|--[A-Za-z][\w-]*)(?:=([A-Z]+)|\[=([A-Z]+)\])?$/

/** Reads the list of options. */
export function parseOptions(text: string): ParsedOptions {
  const options = new Map<string, Option>()
  let takesNumber = false
  for (const spec of text.split(/\s+/).filter(Boolean)) {
    if (spec === '-#') {
      takesNumber = true
      continue
    }
    const [, name = '', needed, joined] = SPEC.exec(spec) ?? []
    const type = needed ?? joined
    if (name === '' || (type !== undefined && !Object.hasOwn(VALUE_TYPES, type))) return { ok: false, problem: `"${spec.slice(0, 40)}" is not an option such as -a, --all, -n=COUNT or --color[=WORD]` }
    options.set(name, { name, value: needed !== undefined ? 'needed' : joined !== undefined ? 'joined' : 'none', type: type as ValueType | undefined })
  }
  return { ok: true, options, takesNumber }
}
