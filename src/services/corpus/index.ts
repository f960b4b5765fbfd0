/** The documents that callers may search, read and write. */

export type { JailedCorpusOptions } from './jailed-corpus.ts'
export { createJailedCorpus } from './jailed-corpus.ts'
