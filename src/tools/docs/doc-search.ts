import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed, outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { allowed, canonical, pathPrefix } from './document.ts'

export const docSearch = defineTool({
  name: 'doc_search',
  title: 'Search documents',
  summary: 'Finds text in the corpus, whatever its case: path, line and snippet. Read more with doc_read.',
  scope: 'docs:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['corpus', 'search'],

  input: z.strictObject({
    query: z.string().min(1).max(1000),
    path_prefix: pathPrefix,
    use_regex: z.boolean().default(false).describe('RE2 syntax.'),
  }),
  output: z.strictObject({
    query: echoed(z.string()),
    match_count: z.int(),
    truncated: z.boolean(),
    files_seen: z.int(),
    matches: z.array(z.strictObject({ path: outsideLine(z.string()), line: z.int(), snippet: outsideLine(z.string()) })),
  }),
  examples: [{ title: 'A word in the notes', input: { query: 'deadline', path_prefix: 'notes/' } }],

  touches: ({ path_prefix }) => [access('search', 'prefix', canonical(path_prefix))],

  async run({ query, path_prefix, use_regex }, { corpus, search }, context) {
    const documents = allowed(corpus, canonical(path_prefix), context)
    const { matches, truncated, filesSeen } = await search.find(documents, { text: query, regex: use_regex }, context)
    return {
      query,
      match_count: matches.length,
      truncated: truncated !== undefined,
      files_seen: filesSeen,
      matches: matches.map(({ path, line, snippet }) => ({ path, line, snippet })),
    }
  },
})
