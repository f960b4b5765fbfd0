import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit a file',
  summary: 'Replaces a text that stands exactly once in a file by another, once a person agreed.',
  scope: 'files:write',
  level: 'CONFIRM',
  effect: 'replace',
  idempotent: false,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({ path: localPath, old_text: z.string().min(1).max(100_000), new_text: z.string().max(100_000) }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'One word', input: { path: '~/notes/idea.md', old_text: 'Idea', new_text: 'Plan' } }],

  touches: ({ path }, inspector) => placed('write', path, { inspector, use: 'write' }),
  async replaces({ path, old_text: oldText, new_text: newText }, inspector) {
    const text = (await inspector.edited?.(path, oldText, newText)) ?? newText
    return { field: 'new_text', target: localFile('write', path), text }
  },

  async run({ path, old_text: oldText, new_text: newText }, { localFiles }, { run, agreedTo }) {
    return { ...(await localFiles.edit(path, oldText, newText, { run, agreedTo })) }
  },
})
