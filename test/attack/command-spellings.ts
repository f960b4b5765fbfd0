/** The ways in which one option can be written: whole, cut short, with its value in the same word or the next, glued, bundled, and anywhere among other words. */

import type { Danger } from './command-dangers.ts'

export interface Places {
  /** Words of a command that is fine without the option. */
  readonly benign: readonly string[]
  /** Letters that take no value, to bundle with. */
  readonly letters: readonly string[]
  readonly whole?: readonly string[] | undefined
  /** Whether options are never cut short. */
  readonly wholeNames?: boolean | undefined
}

const unique = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] => [...new Map(lists.map((words) => [JSON.stringify(words), words])).values()]

function longSpellings(name: string, value: string | undefined, { whole = [], wholeNames = false }: Places): readonly (readonly string[])[] {
  const dashes = name.startsWith('--') ? 2 : 1
  const cuts = wholeNames ? [name] : Array.from({ length: name.length - dashes }, (_, at) => name.slice(0, dashes + 1 + at)).filter((cut) => !whole.includes(cut))
  // Two dashes do for a program that knows one, too.
  const written = dashes === 1 ? cuts.flatMap((cut) => [cut, `-${cut}`]) : cuts
  return written.flatMap((word) => (value === undefined ? [[word]] : [[word, value], [`${word}=${value}`], [word]]))
}

function letterSpellings(name: string, value: string | undefined, letters: readonly string[]): readonly (readonly string[])[] {
  const letter = name.slice(1)
  const before = ['', ...letters, ...letters.slice(1).map((other, at) => other + (letters[at] ?? '')), letters.join('')]
  const bundles = before.map((others) => `-${others}${letter}`)
  if (value === undefined) return [...bundles, ...letters.map((other) => `-${letter}${other}`)].map((word) => [word])
  return bundles.flatMap((word) => [[word, value], [word + value], [`${word}=${value}`], [word]])
}

/** Every spelling of a dangerous option, before and behind what is fine without it. */
export function spellings({ names, value }: Danger, places: Places): readonly (readonly string[])[] {
  const { benign, letters } = places
  const words = names.flatMap((name) => (name.length === 2 ? letterSpellings(name, value, letters) : longSpellings(name, value, places)))
  return unique(words.flatMap((one) => [one, [...one, ...benign], [...benign, ...one], [...benign.slice(0, 1), ...one, ...benign.slice(1)]]))
}
