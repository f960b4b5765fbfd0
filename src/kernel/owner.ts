/** Whose something is. Everything that a caller leaves behind is kept under this key, and found under no other. */

import type { Caller } from './caller.ts'
import { refusal } from './refusal.ts'

/**
 * The key of a caller's own state: equal for all tokens of one subject, and never that of the local caller.
 * @throws Refusal `access.denied` for nobody: an empty subject owns nothing and is no wildcard.
 */
export function ownerOf({ subject, bucket }: Pick<Caller, 'subject' | 'bucket'>): string {
  if (subject === '') throw refusal('access.denied', 'nothing is kept for a caller without a name')
  return bucket
}
