/** JSON from outside, rewritten in one canonical form: same value, same text, whatever its author did to the spelling. */

import { refusal } from '../../kernel/refusal.ts'
import { isShallowJson } from './json-depth.ts'
import { readJson } from './json-reader.ts'

export interface JsonLimits {
  /** UTF-8 bytes of the text, before and after. */
  readonly maxBytes: number
  /** Levels of arrays and objects, 1 to 500. */
  readonly maxDepth: number
  /** Values in all, members and items counted one by one. */
  readonly maxElements: number
}

export const JSON_LIMITS: JsonLimits = { maxBytes: 5_000_000, maxDepth: 64, maxElements: 200_000 }
/** Deeper than this a reader that recurses could run out of stack. */
const DEEPEST = 500

/**
 * Numbers keep their exact value, strings are cleaned like text, names but for NFC. `__proto__`, and `prototype`
 * right inside `constructor`, are left out. Idempotent.
 * @param text without a byte order mark: whoever decodes bytes drops the one that may stand there (RFC 8259 §8.1).
 * @throws Refusal `content.json` for what is not JSON (RFC 8259) or says two things: a name twice (escaped, or
 *   equal once clean), half of a surrogate pair, a number that no double reaches. `content.too-large`, `content.too-deep`.
 */
export function sanitiseJson(text: string, limits: Partial<JsonLimits> = {}): string {
  const { maxBytes, maxDepth, maxElements } = { ...JSON_LIMITS, ...limits }
  assertSize(text, maxBytes)
  if (!isShallowJson(text, Math.min(maxDepth, DEEPEST))) throw refusal('content.too-deep')
  const clean = readJson(text, maxElements)
  assertSize(clean, maxBytes)
  return clean
}

const assertSize = (text: string, maxBytes: number): void => {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) throw refusal('content.too-large')
}
