import * as z from 'zod'
import { fetches } from '../../kernel/access.ts'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const safeFetch = defineTool({
  name: 'safe_fetch',
  title: 'Fetch a URL',
  summary: 'Fetches a public http(s) URL and returns its text, fenced as data. Private and internal addresses are refused.',
  scope: 'tools:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: true,
  perMinute: 30,
  uses: ['egress'],

  input: z.strictObject({ url: z.string().min(1).max(2048).describe('Absolute URL.') }),
  output: z.strictObject({
    status: z.int(),
    content_type: outsideLine(z.string()).nullable(),
    body: untrusted(z.string()),
  }),
  examples: [{ title: 'A public page', input: { url: 'https://example.com/' } }],

  touches: ({ url }) => [fetches(normal(url))],

  async run({ url }, { egress }, { signal, may }) {
    const { status, contentType, body } = await egress.get(url, signal, (hop) => may(fetches(hop)))
    return { status, content_type: contentType, body }
  },
})

/** As it will be fetched: a grant for a folder must not be left by `..` in the spelling. What is no URL is refused later. */
const normal = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)
