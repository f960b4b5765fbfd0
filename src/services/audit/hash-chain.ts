/** The arithmetic of the trail: how the hash of a row binds it to every row before it. */

import { createHash, createHmac, hash } from 'node:crypto'

/** Secret of a keyed trail. Without one the chain shows damage, but whoever writes the file can rebuild it. */
export type AuditKey = string | Uint8Array

/** Hashes are SHA-256 (FIPS 180-4), or HMAC-SHA-256 (RFC 2104) under a key, as 64 lower-case hexadecimal digits. */
export interface HashChain {
  /** What the first row follows. It depends on the key, so the first row tells which key a trail was begun with. */
  readonly genesis: string
  /** Hash of a row: of the hash before it, its number and its text. Two places or texts never share an input. */
  hashOf(prev: string, seq: number, body: string): string
}

const FORMAT = 'arrowhead-audit-2'

export function createHashChain(key?: AuditKey): HashChain {
  const digest = key === undefined ? plainDigest : keyedDigest(key)
  // A hash has 64 characters and a body begins with a bracket, so the three parts need no separator.
  return { genesis: digest(FORMAT), hashOf: (prev, seq, body) => digest(`${prev}${seq}${body}`) }
}

type Digest = (text: string) => string

const plainDigest: Digest = (text) => hash('sha256', text, 'hex')

const BLOCK_BYTES = 64
const HASH_BYTES = 32
const ROOM_BYTES = 8_192
const INNER = 0x36
const OUTER = 0x5c

/** One-shot hashes over a key that was padded once cost half of an Hmac object for each row. */
function keyedDigest(key: AuditKey): Digest {
  const given = typeof key === 'string' ? Buffer.from(key) : key
  const short = given.length > BLOCK_BYTES ? createHash('sha256').update(given).digest() : given
  const inner = Buffer.alloc(BLOCK_BYTES + ROOM_BYTES, INNER)
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, OUTER)
  for (const [at, byte] of short.entries()) {
    inner[at] = INNER ^ byte
    outer[at] = OUTER ^ byte
  }
  return (text) => {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (text.length * 3 > ROOM_BYTES) return createHmac('sha256', key).update(text).digest('hex')
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', inner.subarray(0, end), 'hex'), BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
}
