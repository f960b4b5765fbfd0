/** Long inputs come as recipes; this writes them out. */

interface Recipe {
  readonly prefix?: string
  readonly repeat?: string
  /** Repeated with `#` replaced by the index. */
  readonly repeatIndexed?: string
  readonly times?: number
  readonly then?: string
  /** Repeated as often as `repeat`. */
  readonly close?: string
  readonly suffix?: string
}

/** Runs of one character, each one longer than the last. */
interface Sequence {
  readonly char: string
  readonly from: number
  readonly to: number
  readonly sep: string
}

type Part = string | Recipe

export const fromRecipe = ({ prefix = '', repeat = '', repeatIndexed, times = 0, then = '', close = '', suffix = '' }: Recipe): string => {
  const body = repeatIndexed === undefined ? repeat.repeat(times) : Array.from({ length: times }, (_, index) => repeatIndexed.replaceAll('#', String(index))).join('')
  return prefix + body + then + close.repeat(times) + suffix
}

const fromSequence = ({ char, from, to, sep }: Sequence): string =>
  Array.from({ length: to - from + 1 }, (_, index) => char.repeat(from + index)).join(sep)

/** A text, its recipe, a sequence of recipes, or parts that are joined. */
export function expand(input: { readonly gen?: Recipe; readonly genSeq?: Sequence; readonly parts?: readonly Part[] }, plain: string | undefined): string {
  if (plain !== undefined) return plain
  if (input.gen) return fromRecipe(input.gen)
  if (input.genSeq) return fromSequence(input.genSeq)
  if (input.parts) return input.parts.map((part) => (typeof part === 'string' ? part : fromRecipe(part))).join('')
  throw new TypeError('a case without an input')
}
