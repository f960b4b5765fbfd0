/**
 * Cuts what a tokenizer would take in one piece. Merging a piece costs more than its length, by the square for some,
 * and a text of one letter is one piece; cut, a text costs what it is long.
 */

/** Units of a run that still go in one piece; no word of any language is as long. */
const MAX_RUN = 200
/** Units of the pieces of a longer one: a multiple of the tokens that such runs are made of. */
const PIECE = 128

const LONG_RUN = new RegExp(`\\S{${MAX_RUN + 1},}|\\s{${MAX_RUN + 1},}`, 'g')
const HIGH_SURROGATE = /[\ud800-\udbff]$/

/** Calls `take` with pieces that are the text when they are put together. */
export function splitRuns(text: string, take: (piece: string) => void): void {
  let done = 0
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    if (index > done) take(text.slice(done, index))
    for (let from = 0; from < run.length;) {
      const piece = run.slice(from, from + PIECE)
      // A pair of surrogates is one character, and its halves are none.
      const whole = from + piece.length < run.length && HIGH_SURROGATE.test(piece) ? piece.slice(0, -1) : piece
      take(whole)
      from += whole.length
    }
    done = index + run.length
  }
  if (done < text.length) take(text.slice(done))
}
