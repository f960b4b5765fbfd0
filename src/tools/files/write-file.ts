import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { localFile } from '../../kernel/ports/local-files.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  summary: 'Writes one UTF-8 text file. Replacing one that exists needs a person to agree; use edit_file for a part of it.',
  scope: 'files:write',
  level: 'SAFE',
  effect: 'replace',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({ path: localPath, content: z.string().max(1_000_000) }),
  output: z.strictObject({ path: outsideLine(z.string()), replaced: z.boolean(), size: z.int() }),
  examples: [{ title: 'A new note', input: { path: '~/notes/idea.md', content: '# Idea' } }],

  touches: ({ path }, inspector) => placed('write', path, { inspector, use: 'write' }),
  rise: async ({ path }, inspector) => ((await inspector.exists(localFile('read', path))) ? 'CONFIRM' : 'SAFE'),
  replaces: ({ path, content }) => ({ field: 'content', target: localFile('write', path), text: content }),

  async run({ path, content }, { localFiles }, { run, agreedTo }) {
    return { ...(await localFiles.write(path, content, { run, agreedTo })) }
  },
})
