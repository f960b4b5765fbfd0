/** The `TextSearch` port on the one matcher, within the operator's limits. */

import type { Clock } from '../../kernel/clock.ts'
import type { TextSearch } from '../../kernel/ports/texts.ts'
import { refusal } from '../../kernel/refusal.ts'
import { createMatcher } from './matcher.ts'
import { searchTexts } from './search-texts.ts'
import type { SearchLimits } from './search-texts.ts'

export interface TextSearchOptions {
  /** `timeoutMs` is that of literal text. */
  readonly limits: SearchLimits
  readonly regexEnabled: boolean
  /** Wall time of a search for an expression. */
  readonly regexTimeoutMs: number
  /** UTF-16 units. */
  readonly queryMaxChars: number
  /** UTF-16 units. */
  readonly snippetMaxChars: number
  readonly clock: Pick<Clock, 'ticks'>
}

export function createTextSearch({ limits, regexEnabled, regexTimeoutMs, queryMaxChars, snippetMaxChars, clock }: TextSearchOptions): TextSearch {
  return {
    async find(source, { text, regex }, { signal, progress }) {
      if (regex && !regexEnabled) throw refusal('search.pattern', 'expressions are switched off here: search for literal text', 'regex')
      const matcher = await createMatcher({ query: text, regex, caseFold: true, snippetMaxChars, queryMaxChars })
      const timeoutMs = regex ? Math.min(regexTimeoutMs, limits.timeoutMs) : limits.timeoutMs
      return searchTexts(source, matcher, {
        limits: { ...limits, timeoutMs }, signal, clock,
        onProgress: ({ filesSeen, results }) => progress(filesSeen, undefined, `${results} matches so far`),
      })
    },
  }
}
