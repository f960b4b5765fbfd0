/** One order out of several rankings: reciprocal rank fusion (Cormack, Clarke, Büttcher 2009). */

import type { Passage, Ranking } from '../../kernel/ports/sources.ts'

/** Damps the first ranks, so that one ranking alone does not decide. */
const DAMPING = 60

export const sourceKey = ({ kind, identifier }: Pick<Passage, 'kind' | 'identifier'>): string => `${kind}\n${identifier}`

const passageKey = (passage: Passage): string => `${sourceKey(passage)}\n${passage.startLine}\n${passage.endLine}`

/** Every passage once, best first; ties in the order in which they were ranked. */
export function fuse(rankings: readonly Ranking[]): readonly Passage[] {
  const scores = new Map<string, { readonly passage: Passage; score: number }>()
  for (const { passages } of rankings) {
    for (const [rank, passage] of passages.entries()) {
      const key = passageKey(passage)
      const known = scores.get(key) ?? { passage, score: 0 }
      known.score += 1 / (DAMPING + rank + 1)
      scores.set(key, known)
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ passage }) => passage)
}
