/** The same three tools on the SDK's own server, with no guard around them: what the guards are measured against. */

import { readFile } from 'node:fs/promises'
import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { evaluate } from '../../src/tools/core/arithmetic.ts'

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const answer = (value: Record<string, unknown>) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }], structuredContent: value })

export function createSdkServer(): McpServer {
  const server = new McpServer({ name: 'sdk', version: '1' })
  server.registerTool('calculate', {
    title: 'Calculate',
    description: 'Evaluates plain arithmetic: numbers, + - * / and brackets. Use it instead of working a sum out in text.',
    inputSchema: z.strictObject({ expression: z.string().min(1).max(100_000).describe('Such as "2 * (3 + 4)".') }),
    outputSchema: z.strictObject({ result: z.number() }),
    annotations: READS,
  }, ({ expression }) => answer({ result: evaluate(expression) }))

  server.registerTool('read_file', {
    title: 'Read a file',
    description: 'Returns one UTF-8 text file below the served folder. Paths are relative to that folder.',
    inputSchema: z.strictObject({ path: z.string().min(1).max(4096).describe('Such as "welcome.txt".') }),
    outputSchema: z.strictObject({ content: z.string() }),
    annotations: READS,
  }, async ({ path }) => answer({ content: await readFile(path, 'utf8') }))

  server.registerTool('safe_fetch', {
    title: 'Fetch a URL',
    description: 'Fetches a public http(s) URL and returns its text.',
    inputSchema: z.strictObject({ url: z.string().min(1).max(2048).describe('Absolute URL.') }),
    outputSchema: z.strictObject({ status: z.int(), content_type: z.string().nullable(), body: z.string() }),
    annotations: { ...READS, openWorldHint: true },
  }, async ({ url }) => {
    const response = await fetch(url)
    return answer({ status: response.status, content_type: response.headers.get('content-type'), body: await response.text() })
  })
  return server
}
