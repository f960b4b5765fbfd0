/** Text from outside for a terminal, where nothing of it may act or break its line. */

/** What would act on a terminal, or break a line, is a blank: for names and sentences that a person reads. */
export const shown = (text: string): string => text.replace(/[\p{C}\u2028\u2029]/gu, ' ')

/** All but printable ASCII as `\u{…}`, so that nothing looks like something else: for values that are compared by eye. */
export const escaped = (text: string): string => text.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
