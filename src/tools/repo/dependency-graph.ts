import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { pathPrefix, stamped, stampFields } from './stamp.ts'

export const dependencyGraph = defineTool({
  name: 'dependency_graph',
  title: 'Map imports',
  summary: 'Lists what source files import: a file of the tree, something external, or unresolved.',
  scope: 'repo:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 10,
  uses: ['repo'],

  input: z.strictObject({ path_prefix: pathPrefix }),
  output: z.object({
    edge_count: z.int(),
    edges: z.array(z.object({
      source: outsideLine(z.string()), target: outsideLine(z.string()), external: z.boolean(),
    })),
    ...stampFields,
  }),
  examples: [{ title: 'One folder', input: { path_prefix: 'src/' } }],

  touches: ({ path_prefix }) => [access('search', 'repo_prefix', path_prefix)],

  async run({ path_prefix }, { repo }, { may, signal, progress }) {
    const found = await repo.imports(path_prefix, { may, signal, progress })
    const edges = found.edges.map(({ source, target, external, status }) => ({ source, target, external, status }))
    return { edge_count: edges.length, edges, ...stamped(found) }
  },
})
