import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours, outsideLine, unlisted, untrusted } from '../../kernel/leaf.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { readsSource, SOURCE_KINDS } from '../../kernel/ports/sources.ts'
import { defineTool } from '../../kernel/tool.ts'
import { Bundle } from './bundle.ts'
import { optionalSetName } from './item.ts'
import { freshnessOf } from './freshness.ts'
import { fillFromSearch, fillFromSet } from './fill.ts'

export const packContext = defineTool({
  name: 'pack_context',
  title: 'Pack context',
  summary: 'Fills a token budget from a working set, then from documents and code.',
  scope: 'context:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 10,
  uses: ['bounds', 'clock', 'sources', 'tokens', 'workingSets'],
  scansSecrets: true,

  input: z.strictObject({
    query: z.string().min(1).max(2_000),
    working_set: optionalSetName,
    token_budget: z.int().min(1).default(4_000),
  }),
  output: z.strictObject({
    token_estimate: z.int(),
    truncated: z.boolean(),
    redactions: z.int(),
    // How fresh the index of the code was; empty where there is none.
    code_index: ours(z.string()),
    snippets: z.array(unlisted(z.strictObject({
      source: outsideLine(z.string()),
      kind: z.enum(SOURCE_KINDS),
      span: ours(z.string()),
      sha256: ours(z.string()),
      retrieved_at: ours(z.string()),
      content: untrusted(z.string()),
    }))),
    // The first of those that were left out, and how many there are.
    dropped: unlisted(z.strictObject({
      count: z.int(),
      first: z.array(z.strictObject({ source: outsideLine(z.string()), kind: z.enum(SOURCE_KINDS), reason: z.enum(['access', 'budget', 'duplicate', 'unavailable']) })),
    })),
  }),
  examples: [{ title: 'A question', input: { query: 'how are refunds issued?' } }],

  touches: () => [access('search', 'prefix', '')],

  async run({ query, working_set: set, token_budget: asked }, { bounds, clock, sources, tokens, workingSets }, { caller, signal, may }) {
    const pins = set === '' ? [] : (await workingSets.get(ownerOf(caller), set)).items
    const bundle = new Bundle({ budget: Math.min(asked, bounds.packMaxTokens), count: await tokens.counter(), retrievedAt: new Date(clock.now()).toISOString() })
    // An answer at once is passed on at once: a search asks about thousands of files.
    const world = { sources, signal, mayRead: (ref: Parameters<typeof readsSource>[0]) => may(readsSource(ref)) }
    await fillFromSet(bundle, pins, world)
    // Documents were asked about before the call; code has a name space of its own.
    const maySearchCode = (await may(access('search', 'repo_prefix', ''))) === true
    const index = await fillFromSearch(bundle, query, { ...world, mayRead: (ref) => (ref.kind === 'doc' || maySearchCode) && world.mayRead(ref) })
    return { ...bundle.finish(), code_index: index === undefined ? '' : freshnessOf(index) }
  },
})
