/** What a text costs a language model to read. */

export { createTokens } from './token-counter.ts'
