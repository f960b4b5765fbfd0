/** Puts sources into a bundle: what was pinned, then what a search finds. Each is authorised again before it is read. */

import type { Passage, Ranking, SourceRef, Sources, SourceText } from '../../kernel/ports/sources.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Bundle } from './bundle.ts'
import { fuse, sourceKey } from './fuse.ts'

export interface World {
  readonly sources: Sources
  readonly signal: AbortSignal
  mayRead(ref: SourceRef): boolean | Promise<boolean>
}

/** Passages of one way of searching. */
const PER_RANKING = 50
/** Found passages that were too large, one after the other, after which no more are read. */
const MISSES = 5

/** A grant can change after pinning, so each pin is asked about as if it were new. */
export async function fillFromSet(bundle: Bundle, pins: readonly SourceRef[], world: World): Promise<void> {
  for (const [index, ref] of pins.entries()) {
    if (!(await world.mayRead(ref))) {
      bundle.drop(ref, 'access')
      continue
    }
    const text = await textOf(ref, world)
    if (text === undefined) bundle.drop(ref, 'unavailable')
    // What one pin leaves over goes to those behind it, so that no large one takes all.
    else bundle.add({ ref, text, startLine: 1, endLine: text.lines.length }, Math.floor(bundle.left / (pins.length - index)))
  }
}

/** @returns what the code index says of itself, or undefined where none was asked. */
export async function fillFromSearch(bundle: Bundle, query: string, world: World): Promise<Ranking['index']> {
  const { sources, signal, mayRead } = world
  const rankings = await sources.search(query, { may: mayRead, signal, limit: PER_RANKING })
  if (rankings.some(({ isPartial }) => isPartial)) bundle.isTruncated = true
  const read = new Map<string, SourceText | undefined>()
  let misses = 0
  for (const passage of fuse(rankings)) {
    const ref: SourceRef = { kind: passage.kind, identifier: passage.identifier }
    // A ranking may be older than the grants, or may not have asked.
    if (bundle.has({ ref, ...passage }) || !(await mayRead(ref))) continue
    if (misses >= MISSES) {
      bundle.drop(ref, 'budget')
      continue
    }
    const key = sourceKey(ref)
    const text = read.has(key) ? read.get(key) : await textOf(ref, world)
    read.set(key, text)
    misses = text !== undefined && isAdded(bundle, passage, { ref, text }) ? 0 : misses + 1
    if (text === undefined) bundle.drop(ref, 'unavailable')
  }
  return rankings.find(({ index }) => index !== undefined)?.index
}

/** An index may be older than the text, and its lines beyond the end. */
function isAdded(bundle: Bundle, { startLine, endLine }: Passage, { ref, text }: { readonly ref: SourceRef; readonly text: SourceText }): boolean {
  const end = Math.min(endLine, text.lines.length)
  return startLine <= end && bundle.add({ ref, text, startLine, endLine: end })
}

/** Undefined for what its store refuses; only what ends the call ends it. */
async function textOf(ref: SourceRef, { sources, signal }: World): Promise<SourceText | undefined> {
  try {
    return await sources.read(ref, signal)
  } catch (error) {
    if (error instanceof Refusal && !signal.aborted) return undefined
    throw error
  }
}
