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

/** What the local caller is to collections of chunks; a token whose subject reads the same is another. */
const LOCAL = 'local'
const OTHER = 's:'

/**
 * Whose chunks a caller finds and writes: the subject of the verified token as it stands, so that rows of other writers
 * are found by it, and `local` for the operator of this machine. No argument and no setting chooses another. A subject
 * that reads like the local caller, begins with `s:`, or is no well-formed text is set apart by `s:` before it.
 * @throws Refusal `access.denied` for nobody.
 */
export function tenantOf(caller: Pick<Caller, 'subject' | 'bucket'>): string {
  const { subject } = caller
  const owner = ownerOf(caller)
  if (owner === LOCAL) return subject
  if (owner !== `${OTHER}${subject}`) return `${OTHER}${owner}`
  return subject === LOCAL || subject.startsWith(OTHER) ? owner : subject
}
