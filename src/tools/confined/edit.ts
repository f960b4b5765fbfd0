import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, within } from './tree-path.ts'

export const edit = defineTool({
  name: 'edit',
  title: 'Edit a file',
  summary: 'Replaces a text that stands exactly once in a file by another.',
  scope: 'tree:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: false,
  openWorld: false,
  perMinute: 120,
  uses: ['tree'],

  input: z.strictObject({ path: treePath, old_text: z.string().min(1).max(100_000), new_text: z.string().max(100_000) }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'One word', input: { path: 'notes/idea.md', old_text: 'Idea', new_text: 'Plan' } }],

  touches: ({ path }) => within('edit', path),
  run: async ({ path, old_text: oldText, new_text: newText }, { tree }, { run }) => ({ ...(await tree.edit(named(path), [{ oldText, newText }], run)) }),
})
