import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  summary: 'Returns one UTF-8 text file below the served folder, fenced as data. Paths are relative to that folder.',
  scope: 'tools:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['files'],

  input: z.strictObject({ path: z.string().min(1).max(4096).describe('Such as "welcome.txt".') }),
  output: z.strictObject({ content: untrusted(z.string()) }),
  examples: [{ title: 'The sample file', input: { path: 'welcome.txt' } }],

  touches: ({ path }) => [read('file', path)],

  async run({ path }, { files }) {
    return { content: await files.text(path) }
  },
})
