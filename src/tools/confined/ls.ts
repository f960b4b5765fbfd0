import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, within } from './tree-path.ts'

export const ls = defineTool({
  name: 'ls',
  title: 'List a folder',
  summary: 'Returns names, kinds and sizes in one folder; "." is the workspace. Use glob to look below it.',
  scope: 'tree:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 600,
  uses: ['tree'],

  input: z.strictObject({ path: treePath }),
  output: z.strictObject({
    path: outsideLine(z.string()),
    entries: z.array(z.strictObject({ name: outsideLine(z.string()), kind: z.enum(['file', 'folder', 'link', 'other']), size: z.int() })),
    truncated: z.boolean(),
  }),
  examples: [{ title: 'The workspace', input: { path: '.' } }],

  touches: ({ path }) => within('ls', path),

  async run({ path }, { tree }) {
    const { entries, ...listed } = await tree.list(named(path))
    return { ...listed, entries: entries.map((entry) => ({ ...entry })) }
  },
})
