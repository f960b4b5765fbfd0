/** Where a value may begin and end. A placeholder counts as part of a word, so that redacting twice changes nothing. */

/** What stands in place of a found value. */
export const PLACEHOLDER = /\[REDACTED:[A-Z][A-Z0-9_]{1,39}:[0-9a-f]{12}\]/g
const PLACEHOLDER_AT_END = /\[REDACTED:[A-Z][A-Z0-9_]{1,39}:[0-9a-f]{12}\]$/
const LONGEST_PLACEHOLDER = 70

export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isAlnum = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const endsPlaceholder = (text: string, at: number): boolean =>
  text.charCodeAt(at - 1) === 93 && PLACEHOLDER_AT_END.test(text.slice(Math.max(0, at - LONGEST_PLACEHOLDER), at))

// A colour code, also written out, a written-out control character, or a percent-encoded one: its last letter is not part of a word.
const ESCAPE_AT_END = /(?:(?:\u001b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-9;]{0,12}m|\\[nrtbfv0]|\\u00[0-9a-fA-F]{2}|\\x[0-9a-fA-F]{2}|%[0-9A-F]{2})$/
const LONGEST_ESCAPE = 24

/** Whether a word may begin at `at`. */
export function opensAt(text: string, at: number): boolean {
  if (at === 0) return true
  if (isAlnum(text.charCodeAt(at - 1))) return ESCAPE_AT_END.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at))
  return !endsPlaceholder(text, at)
}

/** Whether a word may end before `at`. */
export const closesAt = (text: string, at: number): boolean =>
  !isAlnum(text.charCodeAt(at)) && !text.startsWith('[REDACTED:', at)

/** Whether a number may begin at `at`: not inside a word, a name, or a decimal fraction. */
export const numberOpensAt = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  if (before === 95 || ((before === 46 || before === 45) && isDigit(text.charCodeAt(at - 2)))) return false
  return opensAt(text, at)
}

/** Whether a number may end before `at`. */
export const numberClosesAt = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at)
  if (next === 95 || ((next === 46 || next === 45) && isAlnum(text.charCodeAt(at + 1)))) return false
  return closesAt(text, at)
}

const LABEL_REACH = 40

/** The text just before `at` on the same line: what a label for the value would be part of. */
export function before(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - LABEL_REACH), at)
  return near.slice(Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\r')) + 1)
}
