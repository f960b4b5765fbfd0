/** Counts what a text costs a language model to read. */

/** Tokens of a text; never throws, whatever the text holds. */
export type CountTokens = (text: string) => number

export interface Tokens {
  /** The vocabulary is loaded by the first who asks. */
  counter(): Promise<CountTokens>
}
