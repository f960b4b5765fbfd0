/** Searches one text, for tests. */

import { createMatcher, type MatcherOptions } from './matcher.ts'
import type { Hit, Step } from './matcher-port.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export interface Asked extends Partial<MatcherOptions> {
  readonly query: string
}

export const matcherFor = (asked: Asked) =>
  createMatcher({ regex: false, caseFold: true, snippetMaxChars: 200, queryMaxChars: 2000, ...asked })

export const stepsIn = async (document: string | Uint8Array, asked: Asked): Promise<readonly Step[]> => {
  const matcher = await matcherFor(asked)
  return [...matcher.search(typeof document === 'string' ? bytesOf(document) : document)]
}

export const hitsIn = async (document: string | Uint8Array, asked: Asked): Promise<readonly Hit[]> =>
  (await stepsIn(document, asked)).filter((step) => typeof step !== 'string')

/** `line:column` of each hit. */
export const placesIn = async (document: string, asked: Asked): Promise<readonly string[]> =>
  (await hitsIn(document, asked)).map(({ line, column }) => `${line}:${column}`)
