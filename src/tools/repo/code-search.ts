import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed, outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { pathPrefix, stamped, stampFields } from './stamp.ts'

export const codeSearch = defineTool({
  name: 'code_search',
  title: 'Search the source tree',
  summary: 'Finds lines of source by text or RE2 expression. symbol_map finds declarations, code_read reads on.',
  scope: 'repo:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['repo'],

  input: z.strictObject({
    query: z.string().max(100_000),
    path_prefix: pathPrefix,
    use_regex: z.boolean().default(false),
  }),
  output: z.object({
    query: echoed(z.string()),
    match_count: z.int(),
    matches: z.array(z.object({ path: outsideLine(z.string()), line: z.int(), snippet: outsideLine(z.string()) })),
    lines_cut: z.int(),
    ...stampFields,
  }),
  examples: [{ title: 'Where a word stands', input: { query: 'TODO', path_prefix: 'src/' } }],

  touches: ({ path_prefix }) => [access('search', 'repo_prefix', path_prefix)],

  async run({ query, path_prefix, use_regex }, { repo }, { may, signal, progress }) {
    const found = await repo.search({ query, regex: use_regex, prefix: path_prefix }, { may, signal, progress })
    const matches = found.matches.map(({ path, line, snippet }) => ({ path, line, snippet }))
    return { query, match_count: matches.length, matches, lines_cut: found.linesCut, ...stamped(found) }
  },
})
