/** Names of keys in Redis: of one length, and without anything that a caller is called. */

import { hash } from 'node:crypto'

/** Since when Redis remembers. It is gone with everything else that Redis forgets, and has no end of its own. */
export const SINCE = 'arrowhead:since'

export const keyOf = (kind: 'rate' | 'place' | 'nonce', name: string): string => `arrowhead:${kind}:${hash('sha256', name, 'base64url').slice(0, 32)}`
