/** Text from outside for a terminal, where nothing of it may act or break its line. */

/** What would act on a terminal, or break a line, is a blank: for names and sentences that a person reads. */
export const shown = (text: string): string => text.replace(/[\p{C}\u2028\u2029]/gu, ' ')

/**
 * Lines in which nothing acts on a terminal or turns the order of what stands there: that is written as `\uXXXX`, which
 * JSON takes for the same character. Line ends and tabs stay.
 */
export const still = (text: string): string =>
  text.replace(/\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}\p{Cs}]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** All but printable ASCII as `\u{…}`, so that nothing looks like something else: for values that are compared by eye. */
export const escaped = (text: string): string => text.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)

const [LEAST_WIDTH, TAB_WIDTH] = [20, 8]

/** The same text in lines that a terminal need not break: at most so many columns wide, where that is no less than 20. */
export function folded(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pieces: string[] = []
    let [piece, used] = ['', 0]
    for (const sign of line) {
      // Some signs beyond ASCII take two columns.
      const takes = sign === '\t' ? TAB_WIDTH : sign > '~' ? 2 : 1
      if (used + takes > Math.max(width, LEAST_WIDTH)) {
        pieces.push(piece)
        ;[piece, used] = ['', 0]
      }
      piece += sign
      used += takes
    }
    return [...pieces, piece]
  })
}
