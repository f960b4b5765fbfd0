/** Adds up what the declarations weigh for a question, and orders them without sorting more than is looked at. */

import { type Postings, keyOf } from './posting-list.ts'
import { MAX_WEIGHT } from './weigh.ts'

export interface WeighedList {
  readonly list: Postings
  /** What this way of saying it counts, at most 1. */
  readonly share: number
}

/** All ways to say one thing; the first is the one that was typed. */
export type WeighedWord = readonly WeighedList[]

/** How much a term tells apart that `held` of `all` declarations hold: BM25's inverse document frequency, never negative. */
const rarity = (all: number, held: number): number => Math.log(1 + (all - held + 0.5) / (held + 0.5))

/** A dense number for every declaration that the lists name, so that scores lie in one plain array. */
interface Slots {
  /** Number of the first declaration of a file, by file. */
  readonly firsts: Uint32Array
  readonly count: number
}

function slotsFor(lists: Iterable<Postings>): Slots {
  const all = [...lists]
  const files = 1 + all.reduce((most, list) => Math.max(most, list.files.at(-1) ?? 0), 0)
  const firsts = new Uint32Array(files + 1)
  for (const { files: numbers, ordinals } of all) {
    for (let at = 0; at < numbers.length; at += 1) {
      const [file = 0, ordinal = 0] = [numbers[at], ordinals[at]]
      if (ordinal >= (firsts[file + 1] ?? 0)) firsts[file + 1] = ordinal + 1
    }
  }
  for (let file = 1; file <= files; file += 1) firsts[file] = (firsts[file] ?? 0) + (firsts[file - 1] ?? 0)
  return { firsts, count: firsts[files] ?? 0 }
}

const slotOf = (firsts: Uint32Array, { files, ordinals }: Postings, at: number): number => (firsts[files[at] ?? 0] ?? 0) + (ordinals[at] ?? 0)

/** Raises each declaration of a list to its weight times `factor`. */
function raise(best: Float64Array, firsts: Uint32Array, { list, factor }: { list: Postings; factor: number }): void {
  for (let at = 0; at < list.files.length; at += 1) {
    const slot = slotOf(firsts, list, at)
    const score = (list.weights[at] ?? 0) * factor
    if (score > (best[slot] ?? 0)) best[slot] = score
  }
}

/** Moves what a word is worth to the sum, and leaves `best` empty. */
function settle(best: Float64Array, sums: Float64Array, { firsts, list }: { firsts: Uint32Array; list: Postings }): void {
  for (let at = 0; at < list.files.length; at += 1) {
    const slot = slotOf(firsts, list, at)
    sums[slot] = (sums[slot] ?? 0) + (best[slot] ?? 0)
    best[slot] = 0
  }
}

/** How many declarations the lists name together. */
function heldIn(lists: readonly Postings[], { firsts, count }: Slots): number {
  const marks = new Uint8Array(count)
  let held = 0
  for (const list of lists) {
    for (let at = 0; at < list.files.length; at += 1) {
      const slot = slotOf(firsts, list, at)
      held += 1 - (marks[slot] ?? 0)
      marks[slot] = 1
    }
  }
  return held
}

export interface Scores {
  scoreOf(file: number, ordinal: number): number
  /** Pages of keys from the highest score down, the first of about `size`. Equal scores are on one page, in order of keys. */
  pages(size: number): Generator<readonly { readonly key: number; readonly score: number }[]>
}

/**
 * The score of every declaration that holds any of the words. A word is rare or not among these declarations, and not
 * among all: the others may be hidden from the caller. Another way to say a word is never rarer than the word itself,
 * or an odd synonym would weigh more than what was asked for.
 */
export function scoresOf(words: readonly WeighedWord[]): Scores {
  const lists = words.flatMap((ways) => ways.map(({ list }) => list))
  const slots = slotsFor(lists)
  const { firsts, count } = slots
  const chunks = heldIn(lists, slots)
  const [sums, best] = [new Float64Array(count), new Float64Array(count)]
  for (const ways of words) {
    const typed = ways[0]?.list.files.length ?? 0
    const most = typed === 0 ? Number.POSITIVE_INFINITY : rarity(chunks, typed)
    for (const { list, share } of ways) {
      raise(best, firsts, { list, factor: (Math.min(most, rarity(chunks, list.files.length)) * share) / MAX_WEIGHT })
    }
    for (const { list } of ways) settle(best, sums, { firsts, list })
  }
  return {
    scoreOf: (file, ordinal) => {
      const slot = (firsts[file] ?? count) + ordinal
      return slot < (firsts[file + 1] ?? 0) ? (sums[slot] ?? 0) : 0
    },
    pages: (size) => pagesOf(slots, sums, size),
  }
}

/** Slots with a score in a range, with their keys. */
function keysBetween(firsts: Uint32Array, sums: Float64Array, { least, above }: { least: number; above: number }) {
  const page: { key: number; score: number }[] = []
  let file = 0
  for (let slot = 0; slot < sums.length; slot += 1) {
    const score = sums[slot] ?? 0
    if (score < least || score >= above || score === 0) continue
    while ((firsts[file + 1] ?? sums.length) <= slot) file += 1
    page.push({ key: keyOf(file, slot - (firsts[file] ?? 0)), score })
  }
  return page
}

function* pagesOf({ firsts }: Slots, sums: Float64Array, firstSize: number): ReturnType<Scores['pages']> {
  const sorted = sums.filter((score) => score > 0).sort()
  let above = Number.POSITIVE_INFINITY
  for (let taken = 0, size = firstSize; taken < sorted.length; size *= 4) {
    const least = sorted[Math.max(0, sorted.length - taken - size)] ?? 0
    const page = keysBetween(firsts, sums, { least, above })
    yield page
    taken += page.length
    above = least
  }
}
