import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const copyFile = defineTool({
  name: 'copy_file',
  title: 'Copy a file',
  summary: 'Copies one file. Replacing one that exists needs a person to agree.',
  scope: 'files:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({ source: localPath, target: localPath }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'A second version', input: { source: '~/notes/idea.md', target: '~/notes/idea-2.md' } }],

  touches: async ({ source, target }, inspector) => [...(await placed('read', source, { inspector, use: 'read' })), ...(await placed('write', target, { inspector, use: 'write' }))],
  rise: async ({ target }, inspector) => ((await inspector.exists(localFile('read', target))) ? 'CONFIRM' : 'SAFE'),
  async replaces({ source, target }, inspector) {
    const found = await inspector.current?.(localFile('read', source))
    return { field: 'content', target: localFile('write', target), text: found?.text ?? '' }
  },

  async run({ source, target }, { localFiles }, { run, agreedTo }) {
    return { ...(await localFiles.copy(source, target, { run, agreedTo })) }
  },
})
