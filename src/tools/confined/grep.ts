import * as z from 'zod'
import { outsideLine, outsideText } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { named, treePath, treePattern, within } from './tree-path.ts'

export const grep = defineTool({
  name: 'grep',
  title: 'Search in files',
  summary: 'Returns the lines that hold a text, in one file or in those below a folder. Letter case does not matter, and nothing in the text is special.',
  scope: 'tree:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 600,
  uses: ['tree'],
  scansSecrets: true,

  input: z.strictObject({ path: treePath, query: z.string().min(1).max(200), glob: treePattern.optional(), max_results: z.int().min(1).max(200).default(50) }),
  output: z.strictObject({ matches: z.array(z.strictObject({ path: outsideLine(z.string()), line: z.int(), snippet: outsideText(z.string()) })), truncated: z.boolean() }),
  examples: [{ title: 'A word', input: { path: '.', query: 'invoice', glob: '*.ts' } }],

  touches: ({ path, glob }) => within('grep', path, glob),

  async run({ path, query, glob, max_results: maxResults }, { tree }, { signal }) {
    const { matches, truncated } = await tree.search(named(path), query, { maxResults, signal, pattern: glob })
    const shown = matches.slice(0, maxResults)
    return { matches: shown.map(({ path: file, line, snippet }) => ({ path: file, line, snippet })), truncated: truncated || shown.length < matches.length }
  },
})
