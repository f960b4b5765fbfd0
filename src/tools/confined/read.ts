import * as z from 'zod'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, within } from './tree-path.ts'

const MAX_LINES = 2_000

export const read = defineTool({
  name: 'read',
  title: 'Read a file',
  summary: 'Returns lines of one UTF-8 text file. Ask for a later part by from_line.',
  scope: 'tree:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 600,
  uses: ['tree'],
  scansSecrets: true,

  input: z.strictObject({ path: treePath, from_line: z.int().min(1).default(1), max_lines: z.int().min(1).max(MAX_LINES).default(MAX_LINES) }),
  output: z.strictObject({ path: outsideLine(z.string()), text: untrusted(z.string()), from_line: z.int(), total_lines: z.int() }),
  examples: [{ title: 'A file', input: { path: 'src/index.ts' } }],

  touches: ({ path }) => within('read', path),

  async run({ path, from_line: fromLine, max_lines: maxLines }, { tree }) {
    const { path: shown, text } = await tree.read(named(path))
    const lines = text.split('\n')
    return { path: shown, text: lines.slice(fromLine - 1, fromLine - 1 + maxLines).join('\n'), from_line: fromLine, total_lines: lines.length }
  },
})
