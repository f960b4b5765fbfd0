import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete a file',
  summary: 'Takes one file or link away, once a person agreed. Folders stay.',
  scope: 'files:write',
  level: 'CONFIRM',
  effect: 'delete',
  idempotent: false,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({ path: localPath }),
  output: z.strictObject({ path: outsideLine(z.string()) }),
  examples: [{ title: 'A note', input: { path: '~/notes/idea.md' } }],

  touches: ({ path }, inspector) => placed('write', path, { inspector, use: 'delete' }),
  replaces: ({ path }) => ({ field: 'content', target: localFile('write', path), text: '' }),

  async run({ path }, { localFiles }, { run, agreedTo }) {
    return { ...(await localFiles.remove(path, { run, agreedTo })) }
  },
})
