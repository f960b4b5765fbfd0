import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { canonical, documentPath, metadata } from './document.ts'
import { loadDocument } from './load-document.ts'

export const docRead = defineTool({
  name: 'doc_read',
  title: 'Read a document',
  summary: 'Returns a corpus document, cleaned and fenced as data. Find its path with doc_search.',
  scope: 'docs:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['clock', 'content', 'corpus'],

  input: z.strictObject({ path: documentPath }),
  output: z.strictObject({ metadata, content: untrusted(z.string(), 'document') }),
  examples: [{ title: 'A note', input: { path: 'notes/todo.md' } }],

  touches: ({ path }) => [read('document', canonical(path))],

  async run({ path }, services) {
    const { text, metadata: about } = await loadDocument(path, services)
    return { metadata: about, content: text }
  },
})
