/**
 * The number that stands for a term in the index file. It has 32 bits, so a term that is hard to guess cannot be
 * got back from it: too many others have the same number. Rare collisions only blur a ranking.
 */

import { createHash } from 'node:crypto'

const MAX_REMEMBERED = 50_000
const remembered = new Map<string, number>()

/** A whole number from 0 to 2³² − 1. */
export function termId(term: string): number {
  const found = remembered.get(term)
  if (found !== undefined) return found
  const id = createHash('sha256').update(term).digest().readUInt32BE(0)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(term, id)
  return id
}
