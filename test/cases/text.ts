/** Runs one text case: sanitises it as a document, and looks for what had to go and what had to stay. */

import { Refusal } from '../../src/kernel/refusal.ts'
import { createSanitiser, sanitiseText } from '../../src/services/content/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

export interface TextCase extends Case<{ readonly text?: string; readonly hex?: string; readonly gen?: object; readonly parts?: readonly string[] }> {
  /** `U+001B`, a range `U+E0000..U+E007F`, or words for what bytes must not become. */
  readonly forbid?: readonly string[]
  readonly keep?: readonly string[]
}

const LONE_SURROGATE = /\p{Cs}/u
const CODE_POINTS = /^U\+([0-9A-F]+)(?:\.\.U\+([0-9A-F]+))?$/

const isPresent = (what: string, text: string): boolean => {
  const [match, first = '', last = first] = CODE_POINTS.exec(what) ?? []
  // Bytes that are no text must not become any: what is left is whole and holds no zero.
  if (match === undefined) return LONE_SURROGATE.test(text) || text.includes('\0')
  const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).some((point) => point >= from && point <= to)
}

/** Text that is no Unicode cannot be written as bytes: it comes in as a string, as it would inside an answer. */
async function clean({ input }: TextCase): Promise<string> {
  const sanitiser = createSanitiser()
  if (input.hex !== undefined) return sanitiser.clean(sanitiser.decode(Buffer.from(input.hex, 'hex')), 'text')
  const text = expand(input, input.text)
  return LONE_SURROGATE.test(text) ? sanitiseText(text) : sanitiser.clean(sanitiser.decode(Buffer.from(text)), 'text')
}

/** The text that came in, without the byte order mark that decoding drops. */
const given = ({ input }: TextCase): string => (input.hex === undefined ? expand(input, input.text) : new TextDecoder().decode(Buffer.from(input.hex, 'hex')))

/**
 * Composed and decomposed spellings are one text to Unicode, and the project gives every text out in normal form C:
 * for this runner a text that is merely composed is a text that did not change.
 */
const composed = (text: string): string => text.normalize('NFC')

const faults = (line: TextCase, text: string): readonly string[] => {
  const found = (line.forbid ?? []).filter((what) => isPresent(what, text)).map((what) => `${what} is there`)
  found.push(...(line.keep ?? []).filter((part) => !text.includes(composed(part))).map((part) => `${part} is gone`))
  if (line.expect === 'allow' && text !== composed(given(line))) found.push('it changed')
  if (sanitiseText(text) !== text) found.push('not idempotent')
  return found
}

export async function runTextCase(line: TextCase): Promise<Verdict> {
  try {
    const text = await clean(line)
    const wrong = faults(line, text)
    return { right: (line.expect === 'allow' || line.expect === 'strip') && wrong.length === 0, got: `${wrong.join(', ') || 'clean'}: ${JSON.stringify(text.slice(0, 100))}` }
  } catch (error) {
    if (!(error instanceof Refusal)) return { right: false, got: `fault: ${String(error)}` }
    return { right: line.expect === 'refuse' || (line.alsoOk?.includes('refuse') ?? false), got: `refuse: ${error.code}` }
  }
}
