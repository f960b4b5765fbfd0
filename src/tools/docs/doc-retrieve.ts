import * as z from 'zod'
import { fetches } from '../../kernel/access.ts'
import { untrusted } from '../../kernel/leaf.ts'
import type { ContentFormat } from '../../kernel/ports/content.ts'
import { refusal } from '../../kernel/refusal.ts'
import { defineTool } from '../../kernel/tool.ts'
import { formatOf, metadata } from './document.ts'

export const docRetrieve = defineTool({
  name: 'doc_retrieve',
  title: 'Retrieve a document',
  summary: 'Fetches a JSON, Markdown or text document by URL, cleaned and fenced as data.',
  scope: 'docs:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: true,
  perMinute: 30,
  uses: ['clock', 'content', 'egress'],

  input: z.strictObject({ url: z.string().min(1).max(2048).describe('Absolute URL.') }),
  output: z.strictObject({ metadata, content: untrusted(z.string(), 'document') }),
  examples: [{ title: 'A public file', input: { url: 'https://example.com/readme.md' } }],

  touches: ({ url }) => [fetches(normal(url))],

  async run({ url }, { clock, content, egress }, { signal, may }) {
    const { status, contentType, bytes, finalUrl } = await egress.get(url, signal, (hop) => may(fetches(hop)))
    if (status < 200 || status > 299) throw refusal('egress.status', `its status was ${status}`)
    const format = documentFormat(contentType, finalUrl)
    if (!format) throw refusal('content.kind', 'safe_fetch returns other text as it is')
    const text = content.decode(bytes)
    return {
      metadata: { source: finalUrl, kind: 'web' as const, format, sha256: content.sha256(bytes), retrieved_at: new Date(clock.now()).toISOString() },
      content: text,
    }
  },
})

/** As it will be fetched: a grant for a folder must not be left by `..` in the spelling. What is no URL is refused later. */
const normal = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '')

/** Media types (RFC 6838, RFC 7763, RFC 8259 §11); the name decides where the type says only that it is text, or nothing. */
function documentFormat(contentType: string | null, url: string): ContentFormat | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';').map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length).replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'us-ascii') throw refusal('content.encoding', 'only UTF-8 is read', 'charset')
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown'
  return type === 'text/plain' || type === '' ? formatOf(pathOf(url)) : undefined
}
