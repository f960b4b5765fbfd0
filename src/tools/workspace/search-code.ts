import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { Answer } from '../../kernel/answer.ts'
import { ours, outsideLine } from '../../kernel/leaf.ts'
import { SYMBOL_KINDS } from '../../kernel/ports/symbols.ts'
import { DETAILS } from '../../kernel/ports/workspace.ts'
import { defineTool } from '../../kernel/tool.ts'
import { addressLines } from './address-lines.ts'
import { indexWords } from './index-words.ts'

const [MAX_HITS, DEFAULT_HITS] = [50, 20]

const kind = z.enum(SYMBOL_KINDS)

/** Below the workspace: no step up, no start at a root or a drive, no backslash, no control character. */
const folderOrFile = z.string().max(1024).regex(/^(?![/~])(?![A-Za-z]:)(?!(?:.*\/)?\.\.(?:\/|$))[^\p{Cc}\\]*$/u)

export const searchCode = defineTool({
  name: 'search_code',
  title: 'Search the code of the workspace',
  summary: 'Finds declarations by name or by words of what they do, and returns their addresses, best first. Read a file at the line for its body.',
  scope: 'workspace:search',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 600,
  uses: ['workspace'],
  scansSecrets: true,

  input: z.strictObject({
    query: z.string().min(1).max(200).regex(/\S/),
    path: folderOrFile.default(''),
    kind: z.union([kind, z.array(kind).min(1).max(SYMBOL_KINDS.length)]).optional(),
    limit: z.int().default(DEFAULT_HITS),
    detail: z.enum(DETAILS).default('signatures'),
  }),
  output: z.object({
    below: outsideLine(z.string()),
    shown: z.int(),
    more: z.boolean(),
    index: ours(z.string()),
    filter: ours(z.string()),
  }),
  examples: [{ title: 'A function by its words', input: { query: 'refresh session token' } }],

  touches: ({ path }) => [access('search', 'repo_prefix', path)],

  async run({ query, path, kind: kinds, limit, detail }, { workspace }, { may, signal, progress }) {
    const wanted = Math.min(MAX_HITS, Math.max(1, limit))
    const { hits, more, path: below, index } = await workspace.search(
      { text: query, path, kinds: typeof kinds === 'string' ? [kinds] : kinds, limit: wanted, detail }, { may, signal, progress },
    )
    const lines = addressLines(hits, { isBrief: detail === 'signatures' && wanted <= DEFAULT_HITS })
    const value = { below, shown: lines.length, more: more || lines.length < hits.length, index: indexWords(index), filter: 'Credential-shaped files are filtered from every answer.' }
    return new Answer(value, [{ type: 'text', text: lines.length === 0 ? 'no matches' : lines.join('\n') }])
  },
})
