import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move a file',
  summary: 'Gives a file another name or folder, once a person agreed.',
  scope: 'files:write',
  level: 'CONFIRM',
  effect: 'replace',
  idempotent: false,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({ source: localPath, target: localPath }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'Into another folder', input: { source: '~/notes/idea.md', target: '~/archive/idea.md' } }],

  touches: async ({ source, target }, inspector) => [
    ...(await placed('read', source, { inspector, use: 'read' })), ...(await placed('write', source, { inspector, use: 'delete' })),
    ...(await placed('write', target, { inspector, use: 'write' })),
  ],
  async replaces({ source, target }, inspector) {
    const found = await inspector.current?.(localFile('read', source))
    return { field: 'content', target: localFile('write', target), text: found?.text ?? '' }
  },

  async run({ source, target }, { localFiles }, { run, agreedTo }) {
    return { ...(await localFiles.move(source, target, { run, agreedTo })) }
  },
})
