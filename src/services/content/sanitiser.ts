/**
 * The content boundary in one piece, as a port: bytes from outside become text, and text is rebuilt for its format.
 * What was rebuilt lately is remembered by its digest, because rebuilding Markdown is dear and documents are read again.
 */

import { createHash } from 'node:crypto'
import type { ContentFormat, ContentPort } from '../../kernel/ports/content.ts'
import { refusal } from '../../kernel/refusal.ts'
import { cleanText } from './clean-text.ts'
import { JSON_LIMITS, sanitiseJson } from './json-sanitiser.ts'
import type { JsonLimits } from './json-sanitiser.ts'
import { MARKDOWN_LIMITS } from './markdown-sanitiser.ts'
import type { MarkdownLimits } from './markdown-sanitiser.ts'
import { sanitiseMarkdownApart } from './markdown-thread.ts'
import { createRecent } from './recent.ts'
import { decodeUtf8 } from './text-encoding.ts'

export interface SanitiserOptions {
  /** Bytes of a document of any kind, before and after; the smaller limit of a kind stands. */
  readonly maxBytes?: number
  readonly json?: Partial<JsonLimits>
  readonly markdown?: Partial<MarkdownLimits>
}

const DEFAULT_MAX_BYTES = 5_000_000
/** UTF-16 units of rebuilt documents that are remembered. */
const REMEMBERED_CHARS = 4_000_000

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

export function createSanitiser({ maxBytes = DEFAULT_MAX_BYTES, json, markdown }: SanitiserOptions = {}): ContentPort {
  const within = <Limits extends { readonly maxBytes: number }>(limits: Limits): Limits => ({ ...limits, maxBytes: Math.min(limits.maxBytes, maxBytes) })
  const jsonLimits = within({ ...JSON_LIMITS, ...json })
  const markdownLimits = within({ ...MARKDOWN_LIMITS, ...markdown })
  const rebuilt = createRecent<Promise<string>>(REMEMBERED_CHARS)

  const rebuild = {
    json: async (text) => sanitiseJson(text, jsonLimits),
    markdown: (text) => {
      const key = sha256(text)
      const known = rebuilt.get(key)
      if (known) return known
      const made = sanitiseMarkdownApart(text, markdownLimits)
      rebuilt.keep(key, made, text.length)
      return made
    },
    text: async (text) => bounded(cleanText(text), maxBytes),
  } satisfies Record<ContentFormat, (text: string) => Promise<string>>

  return {
    sha256,
    clean: (text, format) => rebuild[format](text),
    decode(bytes) {
      if (bytes.length > maxBytes) throw refusal('content.too-large')
      return decodeUtf8(bytes)
    },
  }
}

const bounded = (text: string, maxBytes: number): string => {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) throw refusal('content.too-large')
  return text
}
