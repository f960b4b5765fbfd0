/** What stands between the groups of a number. People copy from documents that set blanks and dashes of many widths. */

/** For a character class: the space separators of Unicode (category Zs). A tab is none of them: it parts columns. */
export const BLANKS = ' \\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000'
/** For a character class: hyphens, the figure and the en dash, and the minus sign. Longer dashes part sentences. */
export const DASHES = '\\-\\u2010-\\u2013\\u2212'
// One mark, or the gap that aligned text has.
const SEPARATOR = `(?:[${BLANKS}]{1,2}|[${DASHES}./\\t])`

const SOME = new RegExp(`^[${BLANKS}${DASHES}./\\t]$`)
export const isSeparator = (char: string): boolean => SOME.test(char)

/** Whether it may as well part two columns of a table, so that more than a check digit has to speak for the number. */
export const isGap = (separator: string): boolean => separator === '\t' || separator.length > 1

/** A sticky pattern in which `~` stands for a separator. */
export const spaced = (source: string, flags = '', separator = SEPARATOR): RegExp => new RegExp(source.replaceAll('~', separator), `${flags}y`)
