/** Text from outside, for a terminal: what would act on one, or break its line, is a blank. */

export const shown = (text: string): string => text.replace(/[\p{C}\u2028\u2029]/gu, ' ')
