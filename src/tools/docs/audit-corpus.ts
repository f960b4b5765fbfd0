import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { definePrompt } from '../../kernel/resource.ts'
import { completePrefix } from './complete-path.ts'
import { canonical, encodedPath, pathPrefix } from './document.ts'

/** Asks for a report on what doc_scan finds. */
export const auditCorpus = definePrompt({
  name: 'audit_corpus',
  title: 'Audit the corpus',
  summary: 'Asks for a report on credentials and personal data in the corpus, or below one prefix of it.',
  scope: 'docs:scan',
  input: z.strictObject({ path_prefix: pathPrefix }),
  uses: ['corpus'],

  touches: ({ path_prefix }) => [access('scan', 'prefix', canonical(path_prefix))],

  messages: async ({ path_prefix }) => [
    {
      role: 'user',
      text: `Call doc_scan with the path_prefix that this percent-encoded text stands for: "${encodedPath(canonical(path_prefix))}" (empty means everything). Group its findings by type and path, name the documents that need attention first, and say for each finding what its owner should do. Never try to read or rebuild a value that was redacted.`,
    },
  ],

  complete: { path_prefix: completePrefix },
})
