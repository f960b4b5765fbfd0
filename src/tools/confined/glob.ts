import * as z from 'zod'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, treePattern, within } from './tree-path.ts'

export const glob = defineTool({
  name: 'glob',
  title: 'Find files',
  summary: 'Returns the paths of files below a folder whose name or path fits a pattern, such as *.md or src/**/*.ts.',
  scope: 'tree:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 600,
  uses: ['tree'],

  input: z.strictObject({ path: treePath, pattern: treePattern, max_results: z.int().min(1).max(1000).default(200) }),
  output: z.strictObject({ paths: z.array(outsideLine(z.string())), truncated: z.boolean() }),
  examples: [{ title: 'Every note', input: { path: '.', pattern: '*.md' } }],

  touches: ({ path, pattern }) => within('glob', path, pattern),

  async run({ path, pattern, max_results: maxResults }, { tree }, { signal }) {
    const { paths, truncated } = await tree.find(named(path), pattern, { maxResults, signal })
    return { paths: [...paths], truncated }
  },
})
