import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours, outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { pathPrefix, stamped, stampFields } from './stamp.ts'

export const symbolMap = defineTool({
  name: 'symbol_map',
  title: 'Map declarations',
  summary: 'Lists the declarations of source files with kind, place and container.',
  scope: 'repo:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 20,
  uses: ['repo'],

  input: z.strictObject({ path_prefix: pathPrefix }),
  output: z.object({
    file_count: z.int(),
    symbol_count: z.int(),
    symbols: z.array(z.object({
      path: outsideLine(z.string()), name: outsideLine(z.string()), kind: ours(z.string()), container: outsideLine(z.string()),
      line_start: z.int(), line_end: z.int(),
    })),
    ...stampFields,
  }),
  examples: [{ title: 'One folder', input: { path_prefix: 'src/' } }],

  touches: ({ path_prefix }) => [access('search', 'repo_prefix', path_prefix)],

  async run({ path_prefix }, { repo }, { may, signal, progress }) {
    const found = await repo.symbols(path_prefix, { may, signal, progress })
    const symbols = found.symbols.map(({ path, name, kind, container, startLine, endLine }) =>
      ({ path, name, kind, container, line_start: startLine, line_end: endLine }))
    return { file_count: found.fileCount, symbol_count: symbols.length, symbols, ...stamped(found) }
  },
})
