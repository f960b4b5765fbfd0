/** What the tools of this family share: how a document is named, what it is, and who may see it. */

import * as z from 'zod'
import { ours, outsideLine } from '../../kernel/leaf.ts'
import type { ContentFormat } from '../../kernel/ports/content.ts'
import type { Corpus, CorpusEntry } from '../../kernel/ports/corpus.ts'
import type { CallContext } from '../../kernel/tool.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

/** Half of a surrogate pair is no text: neither a name on disk nor a URI can hold it. */
const unicode = z.string().max(4096).refine((text) => !/\p{Cs}/u.test(text), 'must be Unicode text without half characters')
export const documentPath = unicode.min(1).describe('Such as "notes/todo.md".')
export const pathPrefix = unicode.default('')

/**
 * The one spelling that grants are compared with, of a path or a prefix. What is no document's path, such as an
 * absolute one, stays so and is the corpus' to refuse. So does a last slash: the prefix `notes/` is not `notes-old`.
 */
export const canonical = (path: string): string => {
  const names = path.normalize('NFC').split('/').filter((name) => name !== '' && name !== '.').join('/')
  return `${path.startsWith('/') ? '/' : ''}${names}${names !== '' && /\/\.?$/.test(path) ? '/' : ''}`
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

type Reader = Pick<CallContext, 'may' | 'mayBelow' | 'signal'>

/** Entries between two looks at the signal. */
const LOOKED_AT_ONCE = 256

/**
 * Documents below a prefix that the caller may do this with. The others leave no trace, however many they are: where
 * none could be allowed, none is looked for.
 * @throws Refusal the one that the signal carries, or `call.cancelled`, soon after it aborted.
 */
export async function* allowed(corpus: Pick<Corpus, 'list'>, prefix: string, { may, mayBelow, signal }: Reader, action: 'read' | 'scan' = 'read'): AsyncGenerator<CorpusEntry> {
  if (!mayBelow({ action, kind: 'document', id: prefix })) return
  let seen = 0
  for await (const entry of corpus.list(prefix)) {
    if (seen % LOOKED_AT_ONCE === 0 && signal.aborted) throw stopReason(signal)
    seen += 1
    const answer = may({ action, kind: 'document', id: entry.path })
    if ((answer instanceof Promise ? await answer : answer) === true) yield entry
  }
}
