/**
 * The one matcher for documents and code: literal text by default, expressions only through an engine that
 * takes linear time. It works line by line, and hands control back often enough to be stopped or to wait.
 */

import { refusal } from '../../kernel/refusal.ts'
import { literalMatcher } from './literal-matcher.ts'
import type { Matcher } from './matcher-port.ts'

export interface MatcherOptions {
  /** One line. */
  readonly query: string
  /** Whether the query is an expression in RE2 syntax with look-behind, which takes linear time too: no look-ahead, no back-references. */
  readonly regex: boolean
  /**
   * Ignores case by simple case folding (Unicode CaseFolding.txt, C and S): one character stands for one
   * character, so `ẞ` is `ß` but never `ss`, `ς` is `Σ`, the Kelvin sign is `k`, and `İ` is only itself.
   */
  readonly caseFold: boolean
  /** UTF-16 units; never within a character or a cluster of them. */
  readonly snippetMaxChars: number
  /** UTF-16 units. */
  readonly queryMaxChars: number
}

const UNSEARCHABLE = /[\n\r\p{Cs}]/u

/** @throws Refusal `input.invalid` for a query that is empty, too long or of several lines; `search.pattern` for no such expression. */
export const createMatcher = async (options: MatcherOptions): Promise<Matcher> => {
  const { query, regex, caseFold, snippetMaxChars, queryMaxChars } = options
  if (query === '') throw refusal('input.invalid', 'the query is empty', 'query')
  if (query.length > queryMaxChars) throw refusal('input.invalid', 'the query is too long', 'query')
  if (UNSEARCHABLE.test(query)) throw refusal('input.invalid', 'a query is one line of whole characters', 'query')
  const normal = query.normalize('NFC')
  if (!regex) return literalMatcher(normal, { caseFold, snippetMaxChars })
  // The engine costs every start some 12 ms, and most searches are literal.
  const { regexMatcher } = await import('./regex-matcher.ts')
  return regexMatcher(normal, { caseFold, snippetMaxChars })
}
