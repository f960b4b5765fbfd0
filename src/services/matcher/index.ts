/** Search in documents and code. */

export type { MatcherOptions } from './matcher.ts'
export { createMatcher } from './matcher.ts'
export type { Hit, Matcher } from './matcher-port.ts'
export type {
  SearchLimits, SearchMatch, SearchOptions, SearchProgress, SearchResult, SearchText,
} from './search-texts.ts'
export { searchTexts } from './search-texts.ts'
