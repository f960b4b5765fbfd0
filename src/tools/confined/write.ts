import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, within } from './tree-path.ts'

export const write = defineTool({
  name: 'write',
  title: 'Write a file',
  summary: 'Writes one UTF-8 text file whole, also over one that is there. Use edit for a part of it.',
  scope: 'tree:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  uses: ['tree'],

  input: z.strictObject({ path: treePath, content: z.string().max(1_000_000) }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'A note', input: { path: 'notes/idea.md', content: '# Idea' } }],

  touches: ({ path }) => within('write', path),
  run: async ({ path, content }, { tree }, { run }) => ({ ...(await tree.write(named(path), content, run)) }),
})
