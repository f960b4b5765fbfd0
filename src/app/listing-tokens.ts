/** What each tool costs a model that is shown the list: its entry as clients get it, in tokens. */

import { createTokens } from '../services/tokens/index.ts'

/** @returns one number for each entry, in order. */
export async function listingTokens(entries: readonly object[]): Promise<readonly number[]> {
  const count = await createTokens().counter()
  return entries.map((entry) => count(JSON.stringify(entry)))
}
