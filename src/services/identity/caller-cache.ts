/** Remembers what verified tokens said, by digest and until they expire: a signature check costs more than all else. */

const MAX_ENTRIES = 10_000

interface Entry<Caller> {
  readonly caller: Caller
  readonly untilMs: number
}

export interface CallerCache<Caller> {
  get(digest: string, generation: number, nowMs: number): Caller | undefined
  set(digest: string, generation: number, caller: Caller, untilMs: number): void
}

/** Holds at most 10,000 entries, the least recently used leaving first. A new generation of keys empties it. */
export function createCallerCache<Caller>(maxEntries = MAX_ENTRIES): CallerCache<Caller> {
  let entries = new Map<string, Entry<Caller>>()
  let current = 0
  const turn = (generation: number): void => {
    if (generation === current) return
    current = generation
    entries = new Map()
  }
  return {
    get(digest, generation, nowMs) {
      turn(generation)
      const entry = entries.get(digest)
      if (!entry) return undefined
      entries.delete(digest)
      if (entry.untilMs <= nowMs) return undefined
      entries.set(digest, entry)
      return entry.caller
    },
    set(digest, generation, caller, untilMs) {
      turn(generation)
      entries.set(digest, { caller, untilMs })
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
