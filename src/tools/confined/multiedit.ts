import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, within } from './tree-path.ts'

const MAX_EDITS = 100

export const multiedit = defineTool({
  name: 'multiedit',
  title: 'Edit a file in several places',
  summary: 'Replaces several texts of one file, one after the other, each of which stands exactly once by then. All of them, or none.',
  scope: 'tree:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: false,
  openWorld: false,
  perMinute: 120,
  uses: ['tree'],

  input: z.strictObject({
    path: treePath,
    edits: z.array(z.strictObject({ old_text: z.string().min(1).max(100_000), new_text: z.string().max(100_000) })).min(1).max(MAX_EDITS),
  }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'Two words', input: { path: 'notes/idea.md', edits: [{ old_text: 'Idea', new_text: 'Plan' }, { old_text: 'maybe', new_text: 'now' }] } }],

  touches: ({ path }) => within('multiedit', path),

  async run({ path, edits }, { tree }, { run }) {
    return { ...(await tree.edit(named(path), edits.map((one) => ({ oldText: one.old_text, newText: one.new_text })), run)) }
  },
})
