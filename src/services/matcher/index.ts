/** Search in documents and code. */

export { createMatcher } from './matcher.ts'
export { searchTexts } from './search-texts.ts'
export type { SearchResult } from './search-texts.ts'
export { createTextSearch } from './text-search.ts'
