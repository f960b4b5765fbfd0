/** Names of keys in Redis: of one length, and without anything that a caller is called. */

import { hash } from 'node:crypto'

export const keyOf = (kind: 'rate' | 'place' | 'nonce', name: string): string => `arrowhead:${kind}:${hash('sha256', name, 'base64url').slice(0, 32)}`
