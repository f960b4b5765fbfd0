import * as z from 'zod'
import { outsideLine, outsideText } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { localPath, placed } from './local-path.ts'

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search in files',
  summary: 'Returns the lines of files below a folder that hold a text. Letter case does not matter.',
  scope: 'files:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 30,
  uses: ['localFiles'],

  input: z.strictObject({
    path: localPath.default('.'),
    query: z.string().min(1).max(200),
    max_results: z.int().min(1).max(200).default(50),
  }),
  output: z.strictObject({ matches: z.array(z.strictObject({ path: outsideLine(z.string()), line: z.int(), snippet: outsideText(z.string()) })), truncated: z.boolean() }),
  examples: [{ title: 'A word', input: { path: '~', query: 'invoice' } }],

  touches: ({ path }, inspector) => placed('search', path, { inspector, use: 'read' }),

  async run({ path, query, max_results: maxResults }, { localFiles }, { signal }) {
    const { matches, truncated } = await localFiles.search(path, query, { maxResults, signal })
    const shown = matches.slice(0, maxResults)
    return { matches: shown.map(({ path: file, line, snippet }) => ({ path: file, line, snippet })), truncated: truncated || shown.length < matches.length }
  },
})
