import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const notifyWebhook = defineTool({
  name: 'notify_webhook',
  title: 'Send a webhook',
  summary: 'Posts a JSON object to a URL that the operator listed, and returns the status and the start of the answer.',
  scope: 'notify:send',
  level: 'RESTRICTED',
  effect: 'create',
  idempotent: false,
  openWorld: true,
  perMinute: 10,
  uses: ['webhooks'],

  input: z.strictObject({ url: z.string().min(1).max(2048), payload: z.record(z.string(), z.unknown()) }),
  output: z.strictObject({ status: z.int(), response: untrusted(z.string()), truncated: z.boolean() }),
  examples: [{ title: 'A build that is done', input: { url: 'https://example.com/', payload: { text: 'done' } } }],

  touches: ({ url }) => [access('notify', 'url', normal(url))],

  run: async ({ url, payload }, { webhooks }, { signal }) => ({ ...(await webhooks.post(url, payload, signal)) }),
})

/** As it will be sent to: a grant for a folder must not be left by `..` in the spelling. What is no URL is refused later. */
const normal = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)
