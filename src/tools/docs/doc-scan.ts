import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { echoed, ours, outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { allowed, canonical, pathPrefix } from './document.ts'

export const docScan = defineTool({
  name: 'doc_scan',
  title: 'Scan for secrets',
  summary: 'Finds secrets and personal data in the corpus; shows places and placeholders only.',
  scope: 'docs:scan',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 20,
  uses: ['corpus', 'scan'],
  scansSecrets: true,

  input: z.strictObject({ path_prefix: pathPrefix }),
  output: z.strictObject({
    path_prefix: echoed(z.string()),
    files_scanned: z.int(),
    files_skipped: z.int(),
    finding_count: z.int(),
    truncated: z.boolean(),
    findings: z.array(z.strictObject({ path: outsideLine(z.string()), line: z.int(), column: z.int(), type: ours(z.string()), match: ours(z.string()) })),
  }),
  examples: [{ title: 'Everything', input: {} }, { title: 'One folder', input: { path_prefix: 'exports/' } }],

  touches: ({ path_prefix }) => [access('scan', 'prefix', canonical(path_prefix))],

  async run({ path_prefix }, { corpus, scan }, context) {
    const documents = allowed(corpus, canonical(path_prefix), context, 'scan')
    const { found, truncated, filesScanned, filesSkipped } = await scan.scan(documents, context)
    return {
      path_prefix,
      files_scanned: filesScanned,
      files_skipped: filesSkipped,
      finding_count: found.length,
      truncated: truncated !== undefined,
      findings: found.map(({ placeholder: match, ...place }) => ({ ...place, match })),
    }
  },
})
