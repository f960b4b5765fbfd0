/**
 * Splits text into identifiers and identifiers into words: camelCase, snake_case, kebab-case, digits, any script.
 * Linear in the text, whatever the text is.
 */

const IDENTIFIER = /[\p{L}\p{M}\p{N}_$]+(?:-[\p{L}\p{M}\p{N}_$]+)*/gu
/** A run of capitals up to a new word, a word, a word of a script without case, or a number. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu
const ASCII = /^[\x20-\x7e]*$/

/** Longer runs are data, such as keys and encoded files, and nobody looks for them by words. */
const MAX_IDENTIFIER_CHARS = 64

/** One spelling for compatible characters (Unicode NFKC), whatever the case. */
export const fold = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKC')).toLowerCase()

/** The words of one identifier as they are written, in order. Joined they are the identifier without its separators. */
export const splitIdentifier = (identifier: string): readonly string[] => identifier.match(PART) ?? []

/** The identifiers and plain words of a text, in order, each as the words that it is made of, folded. At most `max` of them. */
export function* identifiersOf(text: string, max = Number.POSITIVE_INFINITY): Generator<readonly string[]> {
  let left = max
  for (const [identifier] of text.matchAll(IDENTIFIER)) {
    if (left <= 0) return
    if (identifier.length > MAX_IDENTIFIER_CHARS) continue
    left -= 1
    const composed = ASCII.test(identifier) ? identifier : identifier.normalize('NFKC')
    yield splitIdentifier(composed).map((part) => part.toLowerCase())
  }
}
