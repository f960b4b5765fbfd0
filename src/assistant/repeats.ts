/** Calls that were made already and would be made again unchanged: no progress comes of them. */

import type { Fields } from '../kernel/schema.ts'
import type { ToolCard } from './words.ts'

/** Repetitions of one request after which it stops. */
const MAX_REPEATS = 2

export class Repeats {
  readonly #made = new Set<string>()
  #count = 0

  /** Whether the call is a repetition; each is counted. */
  isRepeat(name: string, args: Fields, card: ToolCard | undefined): boolean {
    if (card?.polls === true || !this.#made.has(keyOf(name, args))) return false
    this.#count += 1
    return true
  }

  get isStuck(): boolean {
    return this.#count >= MAX_REPEATS
  }

  /** After a change, what was read before may read differently; the call that changed it is still the same one. */
  made(name: string, args: Fields, { changed }: { readonly changed: boolean }): void {
    if (changed) this.#made.clear()
    this.#made.add(keyOf(name, args))
  }
}

const keyOf = (name: string, args: Fields): string => JSON.stringify([name, ordered(args)])

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, ordered(item)])
}
