import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const listFiles = defineTool({
  name: 'list_files',
  title: 'List a folder',
  summary: 'Returns the names, kinds and sizes in one folder of this machine. Use find_files to look below it.',
  scope: 'files:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['localFiles'],

  input: z.strictObject({ path: localPath.default('.') }),
  output: z.strictObject({
    path: outsideLine(z.string()),
    entries: z.array(z.strictObject({ name: outsideLine(z.string()), kind: z.enum(['file', 'folder', 'link', 'other']), size: z.int() })),
    truncated: z.boolean(),
  }),
  examples: [{ title: 'The working folder', input: { path: '.' } }],

  touches: ({ path }, inspector) => placed('read', path, { inspector, use: 'read' }),

  async run({ path }, { localFiles }) {
    const { entries, ...listed } = await localFiles.list(path)
    return { ...listed, entries: entries.map((entry) => ({ ...entry })) }
  },
})
