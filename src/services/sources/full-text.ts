/**
 * A ranking by BM25 over passages, made while the texts are read: no index, nothing kept, bounded by files and
 * bytes. What is left out is said.
 */

import type { Passage, RankOptions, Ranker, Ranking, SourceKind, SourceReader } from '../../kernel/ports/sources.ts'
import { composed } from '../../kernel/normal-form.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { eachWord, queryWords, rootOf } from './words.ts'

/** A store that can be walked. */
export interface SourceStore extends SourceReader {
  /** Identifiers in a steady order. */
  list(signal: AbortSignal): AsyncIterable<string>
}

export interface FullTextOptions {
  readonly kind: SourceKind
  readonly store: SourceStore
  /** Most texts that one ranking opens. */
  readonly maxFiles: number
  /** UTF-16 units of all texts together. */
  readonly maxChars: number
}

/** Lines of a passage: an end is looked for from the first number on and made at the second. */
const [ENOUGH_LINES, MOST_LINES] = [8, 60]
/** Passages of one text, so that a long one does not hide all others. */
const MOST_OF_ONE = 5
const [CHARS_PER_WORD, CHARS_PER_PASSAGE] = [7, 800]
const TERM_SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

interface Found {
  readonly passage: Passage
  readonly length: number
  /** How often each word of the query stands in it. */
  readonly times: Uint32Array
}

/** What a walk gathers before anything can be scored. */
class Tally {
  readonly found: Found[] = []
  readonly holding: number[]
  passages = 0
  words = 0

  constructor(words: number) {
    this.holding = new Array<number>(words).fill(0)
  }

  /** A text that was not looked at word by word; what it adds is only a size. */
  skip(chars: number): void {
    this.passages += Math.ceil(chars / CHARS_PER_PASSAGE)
    this.words += Math.ceil(chars / CHARS_PER_WORD)
  }

  add(passage: Passage, times: Uint32Array, length: number): void {
    this.passages += 1
    this.words += length
    let any = false
    for (const [index, often] of times.entries()) {
      if (often === 0) continue
      any = true
      this.holding[index] = (this.holding[index] ?? 0) + 1
    }
    if (any) this.found.push({ passage, times, length })
  }
}

export function createFullText(options: FullTextOptions): Ranker {
  return {
    async rank(query, rank) {
      const places = new Map(queryWords(query).map((word, index) => [word, index]))
      if (places.size === 0) return { passages: [], isPartial: false }
      const tally = new Tally(places.size)
      const isPartial = await walk(options, rank, { places, tally })
      return { passages: best(tally, rank.limit), isPartial }
    },
  }
}

interface Count {
  readonly places: ReadonlyMap<string, number>
  readonly tally: Tally
}

/** @returns whether something was left out. */
async function walk({ kind, store, maxFiles, maxChars }: FullTextOptions, { may, signal }: RankOptions, count: Count): Promise<boolean> {
  const roots = [...count.places.keys()].map(rootOf)
  let [files, chars, isPartial] = [0, 0, false]
  for await (const identifier of store.list(signal)) {
    signal.throwIfAborted()
    if (!(await may({ kind, identifier }))) continue
    if (files >= maxFiles || chars >= maxChars) return true
    files += 1
    const text = await textOf(store, identifier, signal)
    if (text === undefined) {
      isPartial = true
      continue
    }
    chars += text.length
    const lower = text.toLowerCase()
    // A word is found at the latest where its letters are, and most texts hold none.
    if (!roots.some((root) => lower.includes(root))) count.tally.skip(text.length)
    else countPassages(text, { kind, identifier }, count)
  }
  return isPartial
}

/** Undefined for what cannot be read, which is no reason to find nothing at all. */
async function textOf(store: SourceStore, identifier: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const text = await store.text(identifier, signal)
    // The query is composed too; a mark of its own would part a word.
    return text === undefined ? undefined : composed(text)
  } catch (error) {
    if (error instanceof Refusal && !signal.aborted) return undefined
    throw error
  }
}

/** A passage ends before a line that begins at the margin behind an empty one, or else where it is long. */
export function countPassages(text: string, ref: Pick<Passage, 'kind' | 'identifier'>, { places, tally }: Count): void {
  const lines = text.split('\n')
  let start = 0
  let length = 0
  let times = new Uint32Array(places.size)
  const close = (end: number): void => {
    if (length > 0) tally.add({ ...ref, startLine: start + 1, endLine: end }, times, length)
    start = end
    length = 0
    times = new Uint32Array(places.size)
  }
  const take = (word: string): void => {
    length += 1
    const place = places.get(word)
    if (place !== undefined) times[place] = (times[place] ?? 0) + 1
  }
  for (const [index, line] of lines.entries()) {
    const size = index - start
    if (size >= MOST_LINES || (size >= ENOUGH_LINES && /^\S/.test(line) && (lines[index - 1] ?? '').trim() === '')) close(index)
    eachWord(line, take)
  }
  close(lines.at(-1) === '' ? lines.length - 1 : lines.length)
}

function best({ found, holding, passages, words }: Tally, limit: number): Ranking['passages'] {
  const average = Math.max(1, words / Math.max(1, passages))
  const weights = holding.map((held) => Math.log(1 + (passages - held + 0.5) / (held + 0.5)))
  const score = ({ times, length }: Found): number => {
    const damped = TERM_SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (length / average))
    return times.reduce((sum, often, index) => sum + (weights[index] ?? 0) * ((often * (TERM_SATURATION + 1)) / (often + damped)), 0)
  }
  const scored = found.map((one) => ({ passage: one.passage, score: score(one) }))
  const perSource = new Map<string, number>()
  const isSpread = ({ passage: { identifier } }: { readonly passage: Passage }): boolean => {
    const taken = (perSource.get(identifier) ?? 0) + 1
    perSource.set(identifier, taken)
    return taken <= MOST_OF_ONE
  }
  return scored.sort((a, b) => b.score - a.score).filter(isSpread).slice(0, limit).map(({ passage }) => passage)
}
