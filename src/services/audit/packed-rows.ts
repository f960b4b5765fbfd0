/**
 * Rows that are written together can be one row of the table: that costs the database as much as one of them. Its
 * text begins with a line of the hashes of all of them but the last, then comes each row's own text, as it was hashed.
 */

import type { TrailHead } from '../../kernel/audit.ts'

/** A row as the file holds it. */
export interface StoredEntry {
  readonly head: TrailHead
  readonly prev: string
  /** Its canonical text, or those of several rows. */
  readonly body: string
}

const HASH_DIGITS = 64
/** A row's text is JSON on one line, so this is never part of one. */
const BETWEEN = ',\n'

/** The text of rows, in pieces; `hashes` in their order. That of one row is its own. */
export function packed(bodies: readonly string[], hashes: readonly string[]): string[] {
  const pieces: string[] = hashes.slice(0, -1)
  for (const [at, body] of bodies.entries()) pieces.push(at > 0 ? BETWEEN : hashes.length > 1 ? '\n' : '', body)
  return pieces
}

/** SQL: how many rows the text of a row holds, and all of them as one JSON array. */
export const ROWS_IN_BODY = `max(1, (instr(body, char(10)) - 1) / ${HASH_DIGITS} + 1)`
export const BODY_AS_ARRAY = "'[' || substr(body, instr(body, char(10)) + 1) || ']'"

/** The rows that a row of the table holds, in order; itself, where it is one row or where somebody wrote over it. */
export function unpacked(stored: StoredEntry): readonly StoredEntry[] {
  const { head, prev, body } = stored
  const end = body.indexOf('\n')
  if (end <= 0 || end % HASH_DIGITS !== 0) return [stored]
  const hashes = Array.from({ length: end / HASH_DIGITS }, (_, at) => body.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS))
  const texts = body.slice(end + 1).split(BETWEEN)
  // Text that is too much stays with the last row, which it makes another one.
  const bodies = [...texts.slice(0, hashes.length), texts.slice(hashes.length).join(BETWEEN)]
  return [...hashes, head.hash].map((hash, at) => ({
    head: { seq: head.seq - hashes.length + at, hash },
    prev: hashes[at - 1] ?? prev,
    body: bodies[at] ?? '',
  }))
}
