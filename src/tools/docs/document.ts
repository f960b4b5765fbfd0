/** What the tools of this family share: how a document is named, what it is, and who may see it. */

import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { ours, outsideLine } from '../../kernel/leaf.ts'
import type { ContentFormat } from '../../kernel/ports/content.ts'
import type { CorpusEntry } from '../../kernel/ports/corpus.ts'
import type { CallContext } from '../../kernel/tool.ts'

export const documentPath = z.string().min(1).max(4096).describe('Such as "notes/todo.md".')
export const pathPrefix = z.string().max(4096).default('')

/** The one spelling that grants are compared with. What is no path, such as an absolute one, stays so and is the corpus' to refuse. */
export const canonical = (path: string): string => {
  const names = path.normalize('NFC').split('/').filter((name) => name !== '' && name !== '.').join('/')
  return path.startsWith('/') ? `/${names}` : names
}

/** A prefix keeps its last slash: `notes/` is not `notes-old`. */
export const canonicalPrefix = (prefix: string): string => {
  const path = canonical(prefix)
  return path !== '' && /\/\.?$/.test(prefix) ? `${path}/` : path
}

const FORMATS: Readonly<Record<string, ContentFormat>> = { json: 'json', md: 'markdown', markdown: 'markdown' }
export const MIME: Readonly<Record<ContentFormat, string>> = { json: 'application/json', markdown: 'text/markdown', text: 'text/plain' }

/** Without a dot, in lower case; empty where there is none. */
export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

export const formatOf = (path: string): ContentFormat => FORMATS[extensionOf(path)] ?? 'text'

/** Percent-encoded but for slashes (RFC 3986 §2.1), so that a name can neither end the URI nor speak. */
export const encodedPath = (path: string): string =>
  encodeURIComponent(path).replaceAll('%2F', '/').replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** Provenance: where a text comes from, what it is, and when it was had. */
export const metadata = z.strictObject({
  source: outsideLine(z.string()),
  kind: z.enum(['document', 'web']),
  format: z.enum(['json', 'markdown', 'text']),
  sha256: ours(z.string()),
  retrieved_at: ours(z.string()),
})

type Reader = Pick<CallContext, 'may'>

/** Documents of a listing that the caller may do this with. The others leave no trace. */
export async function* allowed(entries: AsyncIterable<CorpusEntry>, { may }: Reader, action: 'read' | 'scan' = 'read'): AsyncGenerator<CorpusEntry> {
  for await (const entry of entries) {
    const answer = may({ ...read('document', entry.path), action })
    if ((answer instanceof Promise ? await answer : answer) === true) yield entry
  }
}
