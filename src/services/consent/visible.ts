/** Text as a person must see it: what has no shape of its own is written out, so that nothing in it can hide or act. */

/** Controls, formats, private use, unassigned, halves, separators of lines, and what only varies the look of its neighbour. */
const HIDDEN = /[\p{C}\u2028\u2029\u00a0\u034f\u115f\u1160\u17b4\u17b5\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
const PLAIN: ReadonlySet<string> = new Set(['\n', '\t'])

export const visible = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (PLAIN.has(hidden) ? hidden : `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`))
