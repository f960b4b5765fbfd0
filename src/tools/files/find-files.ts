import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find files',
  summary: 'Returns the paths of files below a folder whose name or path fits a pattern, such as *.md or src/**/*.ts.',
  scope: 'files:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({
    path: localPath.default('.'),
    pattern: z.string().min(1).max(1000).describe('A name with * and ?, or a path with **.'),
    max_results: z.int().min(1).max(1000).default(200),
  }),
  output: z.strictObject({ paths: z.array(outsideLine(z.string())), truncated: z.boolean() }),
  examples: [{ title: 'Every note', input: { path: '~', pattern: '*.md' } }],

  touches: ({ path }, inspector) => placed('search', path, { inspector, use: 'read' }),

  async run({ path, pattern, max_results: maxResults }, { localFiles }, { signal }) {
    const { paths, truncated } = await localFiles.find(path, pattern, { maxResults, signal })
    return { paths: [...paths], truncated }
  },
})
