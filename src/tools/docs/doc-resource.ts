import { read } from '../../kernel/access.ts'
import { defineResource } from '../../kernel/resource.ts'
import { completePath } from './complete-path.ts'
import { MIME, canonical } from './document.ts'
import { loadDocument } from './load-document.ts'

/** One document by its URI, as safe as doc_read: the same access, cleaning, fence and limits. */
export const docResource = defineResource({
  uri: 'doc://{+path}',
  name: 'document',
  title: 'Document',
  summary: 'One document of the corpus, cleaned for its format and fenced as data. docs://index lists them.',
  scope: 'docs:read',
  mimeType: 'text/plain',
  uses: ['clock', 'content', 'corpus'],
  outside: 'document',

  touches: ({ path = '' }) => [read('document', canonical(path))],

  async read({ path = '' }, services) {
    const { text, metadata } = await loadDocument(path, services)
    return { text, metadata, mimeType: MIME[metadata.format] }
  },

  complete: { path: completePath },
})
