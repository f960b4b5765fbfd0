/** What travels beside content from outside: where it came from, what it is, and what exactly it was. */

import { createHash } from 'node:crypto'
import { cleanLine } from './clean-text.ts'
import type { ContentFormat } from './sanitiser.ts'

export interface Provenance {
  /** One line, at most 500 characters. */
  readonly source: string
  readonly kind: string
  readonly format: ContentFormat
  /** Lower-case hex over the UTF-8 bytes of the text as it is handed on. */
  readonly sha256: string
  /** RFC 3339, UTC. */
  readonly retrieved_at: string
  readonly bytes: number
}

export interface ProvenanceOf {
  readonly source: string
  /** What the source is to this server, such as `document` or `page`. */
  readonly kind: string
  readonly format: ContentFormat
  readonly text: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly retrievedAt: number
}

export const provenance = ({ source, kind, format, text, retrievedAt }: ProvenanceOf): Provenance => {
  const bytes = Buffer.from(text)
  return {
    source: cleanLine(source),
    kind,
    format,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    retrieved_at: new Date(retrievedAt).toISOString(),
    bytes: bytes.length,
  }
}
