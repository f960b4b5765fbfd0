import { access } from '../../kernel/access.ts'
import { defineResource } from '../../kernel/resource.ts'
import { allowed, encodedPath } from './document.ts'

/** Documents named in one answer; the rest is found by doc_search or below a narrower prefix. */
const MAX_DOCUMENTS = 1000

/** The documents that this caller may read, by path. */
export const docsIndex = defineResource({
  uri: 'docs://index',
  name: 'documents',
  title: 'Documents',
  summary: 'The documents of the corpus that the caller may read, as JSON: path, bytes and time of the last change.',
  scope: 'docs:search',
  mimeType: 'application/json',
  uses: ['corpus'],
  outside: 'json',
  fenced: false,

  touches: () => [access('search', 'prefix', '')],

  async read(_params, { corpus }, context) {
    const documents: object[] = []
    let truncated = false
    for await (const { path, size, modifiedMs } of allowed(corpus, '', context)) {
      truncated = documents.length >= MAX_DOCUMENTS
      if (truncated) break
      documents.push({ path, size, modified_at: new Date(modifiedMs).toISOString(), uri: `doc://${encodedPath(path)}` })
    }
    return { text: JSON.stringify({ documents, truncated }), mimeType: 'application/json' }
  },
})
