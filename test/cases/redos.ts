/** Runs one case of a search by expression: the matcher and the search runner as doc_search uses them. */

import { Refusal } from '../../src/kernel/refusal.ts'
import { createMatcher, searchTexts } from '../../src/services/matcher/index.ts'
import type { SearchResult } from '../../src/services/matcher/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

interface RedosInput {
  readonly pattern: string
  readonly flags: string
  readonly text?: string
  readonly gen?: object
}

export interface RedosCase extends Case<RedosInput> {
  readonly budgetMs: number
  /** Lines that a right answer names; none for the texts made to be almost right. */
  readonly matchingLines?: number
}

/** Half of the time that a case has; the rest is for compiling, and for a busy machine. */
const LIMITS = { maxFiles: 1, maxFileBytes: 1_000_000, maxReadBytes: 1_000_000, maxResults: 50, maxSnippetBytes: 200_000, timeoutMs: 1_000 }

interface Outcome {
  readonly is: 'allow' | 'refuse' | 'bounded' | 'fault'
  readonly lines: number
}

/** A caller can say `i` alone. `u` is what every expression is, and the others change nothing about which lines match. */
const knows = (flags: string): boolean => /^[dgimsu]*$/.test(flags) && new Set(flags).size === flags.length

const outcomeOf = ({ matches, truncated, linesCut }: SearchResult): Outcome =>
  ({ is: truncated === undefined && linesCut === 0 ? 'allow' : 'bounded', lines: matches.length })

const attempt = async (input: RedosInput): Promise<Outcome> => {
  const bytes = new TextEncoder().encode(expand(input, input.text))
  const source = async function* () {
    yield { path: 'case.txt', size: bytes.length, read: () => bytes }
  }
  if (!knows(input.flags)) return { is: 'refuse', lines: 0 }
  try {
    const caseFold = input.flags.includes('i')
    const matcher = await createMatcher({ query: input.pattern, regex: true, caseFold, snippetMaxChars: 200, queryMaxChars: 200 })
    return outcomeOf(await searchTexts(source(), matcher, { limits: LIMITS }))
  } catch (error) {
    return { is: error instanceof Refusal ? 'refuse' : 'fault', lines: 0 }
  }
}

/** Where a stop is right, so is the right answer in time. */
const isRight = ({ expect, alsoOk = [], matchingLines = 0 }: RedosCase, { is, lines }: Outcome): boolean => {
  if (is === 'allow' && (expect === 'allow' || alsoOk.includes('bounded'))) return lines === matchingLines
  return is === expect || alsoOk.includes(is)
}

export const runRedosCase = async (line: RedosCase): Promise<Verdict> => {
  const start = performance.now()
  const outcome = await attempt(line.input)
  const took = performance.now() - start
  const isInTime = took <= line.budgetMs
  return { right: isInTime && isRight(line, outcome), got: `${outcome.is}, ${outcome.lines} lines${isInTime ? '' : ', too late'}` }
}
