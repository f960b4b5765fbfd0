/** The content boundary in one piece: bytes from outside in, clean text of a known format out, or a refusal. */

import { refusal } from '../../kernel/refusal.ts'
import { JSON_LIMITS, sanitiseJson } from './json-sanitiser.ts'
import type { JsonLimits } from './json-sanitiser.ts'
import { MARKDOWN_LIMITS, sanitiseMarkdown } from './markdown-sanitiser.ts'
import type { MarkdownLimits } from './markdown-sanitiser.ts'
import { decodeUtf8, sanitiseText } from './text-encoding.ts'

export type ContentFormat = 'json' | 'markdown' | 'text'

export interface SanitiserLimits {
  /** Bytes of a document of any kind; the smaller limit of a kind stands. */
  readonly maxBytes?: number
  readonly json?: Partial<JsonLimits>
  readonly markdown?: Partial<MarkdownLimits>
}

export interface Sanitiser {
  /** @throws Refusal `content.encoding`, `content.too-large`, `content.too-deep`, `content.json` or `content.markdown`. */
  clean(bytes: Uint8Array, kind: ContentFormat): Promise<{ readonly text: string; readonly format: ContentFormat }>
}

const DEFAULT_MAX_BYTES = 5_000_000

export function createSanitiser({ maxBytes = DEFAULT_MAX_BYTES, json, markdown }: SanitiserLimits = {}): Sanitiser {
  const within = <Limits extends { readonly maxBytes: number }>(limits: Limits): Limits => ({ ...limits, maxBytes: Math.min(limits.maxBytes, maxBytes) })
  const jsonLimits = within({ ...JSON_LIMITS, ...json })
  const markdownLimits = within({ ...MARKDOWN_LIMITS, ...markdown })
  const cleaned = {
    json: (bytes) => sanitiseJson(decodeUtf8(bytes), jsonLimits),
    markdown: (bytes) => sanitiseMarkdown(decodeUtf8(bytes), markdownLimits),
    text: (bytes) => sanitiseText(bytes),
  } satisfies Record<ContentFormat, (bytes: Uint8Array) => string | Promise<string>>
  return {
    async clean(bytes, kind) {
      if (bytes.length > maxBytes) throw refusal('content.too-large')
      return { text: await cleaned[kind](bytes), format: kind }
    },
  }
}
