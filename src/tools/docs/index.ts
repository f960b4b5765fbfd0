import type { Family } from '../../kernel/resource.ts'
import { auditCorpus } from './audit-corpus.ts'
import { docRead } from './doc-read.ts'
import { docResource } from './doc-resource.ts'
import { docRetrieve } from './doc-retrieve.ts'
import { docScan } from './doc-scan.ts'
import { docSearch } from './doc-search.ts'
import { docWrite } from './doc-write.ts'
import { docsIndex } from './docs-index.ts'
import { summarizeDocument } from './summarize-document.ts'

/** A corpus that a model can read without being steered, and writes that a person agrees to. */
export const docs: Family = {
  name: 'docs',
  tools: [docRead, docRetrieve, docScan, docSearch, docWrite],
  resources: [docResource, docsIndex],
  prompts: [auditCorpus, summarizeDocument],
}
