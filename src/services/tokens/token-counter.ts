/** The `Tokens` port with the vocabulary o200k_base: exact for models that use it, and near for the others. */

import type { CountTokens, Tokens } from '../../kernel/ports/tokens.ts'
import { splitRuns } from './split-runs.ts'

/** A text may spell the name of a special token; to count it is a text like any other. */
const PLAIN = { disallowedSpecial: new Set<string>() }

async function load(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => {
    let tokens = 0
    splitRuns(text, (piece) => void (tokens += countTokens(piece, PLAIN)))
    return tokens
  }
}

export function createTokens(): Tokens {
  let loaded: Promise<CountTokens> | undefined
  return { counter: () => (loaded ??= load()) }
}
