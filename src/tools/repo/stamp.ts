/** What every answer about the source tree says of itself: which state of it, and how much of it. */

import * as z from 'zod'
import type { RepoStamp } from '../../kernel/ports/repo.ts'

/** Listed, because the catalogue names it. The rest of the stamp is this server's own words and not listed: a listing is paid for. */
export const stampFields = {
  truncated: z.boolean(),
}

export const stamped = ({ state, filesSeen, skipped, truncated }: RepoStamp) => ({
  truncated: truncated !== undefined,
  limit: truncated ?? 'none',
  tree_state: state,
  files_seen: filesSeen,
  skipped: skipped.map(({ reason, count }) => `${reason} ${count}`).join(', '),
})

/** What is asked of the tree: paths are compared as they are spelled there. */
export const pathPrefix = z.string().max(4096).default('')
