import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

export const codeRead = defineTool({
  name: 'code_read',
  title: 'Read source lines',
  summary: 'Returns lines of one source file, fenced as data, credentials replaced.',
  scope: 'repo:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['repo'],

  input: z.strictObject({
    path: z.string().min(1).max(4096),
    start_line: z.int().min(1).default(1),
    end_line: z.int().min(0).default(0).describe('0 for the last.'),
  }),
  output: z.object({
    metadata: outsideLine(z.looseObject({})),
    content: untrusted(z.string()),
  }),
  examples: [{ title: 'The first lines', input: { path: 'README.md', start_line: 1, end_line: 40 } }],

  touches: ({ path }) => [read('repo_file', path)],

  async run({ path, start_line, end_line }, { repo }, { may, signal }) {
    const found = await repo.read(path, { start: start_line, end: end_line }, { may, signal })
    const metadata = {
      path: found.path, start_line: found.startLine, end_line: found.endLine, total_lines: found.totalLines,
      size_bytes: found.size, file_state: found.state, truncated: found.isCut, redacted: found.redacted,
    }
    return { metadata, content: found.text }
  },
})
