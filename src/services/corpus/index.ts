/** The documents that callers may search, read and write. */

export type {
  Corpus, CorpusDocument, CorpusEntry, CorpusUsage, DocumentStat, ListOptions, OpenCorpus, Written,
} from './corpus-port.ts'
export type { JailedCorpusOptions } from './jailed-corpus.ts'
export { createJailedCorpus } from './jailed-corpus.ts'
