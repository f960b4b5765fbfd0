/** The documents that callers may search, read and write. */

export type { JailedCorpusOptions } from './jailed-corpus.ts'
export { createJailedCorpus } from './jailed-corpus.ts'
export type { S3CorpusOptions } from './s3-corpus.ts'
export { createS3Corpus } from './s3-corpus.ts'
export { holdsToConditions } from './s3-probe.ts'
