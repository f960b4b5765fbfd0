/** How fresh the code index was that a bundle was made with. */

import type { Ranking } from '../../kernel/ports/sources.ts'

/** The longest that is said; a bundle is measured with it. */
export const LONGEST_FRESHNESS = 'complete as of 2026-01-01T00:00:00.000Z, being updated'

/** Snippets are read when they are packed; it is what is found that can be as old as this. */
export function freshnessOf({ asOfMs, isComplete, isUpdating }: NonNullable<Ranking['index']>): string {
  if (asOfMs === null) return 'building'
  return `${isComplete ? 'complete' : 'partial'} as of ${new Date(asOfMs).toISOString()}${isUpdating ? ', being updated' : ''}`
}
