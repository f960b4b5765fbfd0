import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { LANGUAGES } from '../../kernel/ports/runner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { resultOf, runResult } from './run-result.ts'

export const runSnippet = defineTool({
  name: 'run_snippet',
  title: 'Run a snippet',
  summary: 'Runs a short Python or JavaScript program under limits and returns its output. Nothing is kept between runs.',
  scope: 'exec:run',
  level: 'RESTRICTED',
  effect: 'execute',
  idempotent: false,
  openWorld: true,
  perMinute: 10,
  uses: ['runner'],
  scansSecrets: true,

  input: z.strictObject({
    code: z.string().max(100_000_000),
    stdin: z.string().max(1_000_000).default(''),
    language: z.enum(LANGUAGES).default('python'),
  }),
  output: runResult,
  examples: [
    { title: 'A sum', input: { code: 'print(2 + 2)' } },
    { title: 'JavaScript', input: { code: 'console.log(6 * 7)', language: 'javascript' } },
  ],

  touches: ({ language }) => [access('execute', 'sandbox', language)],

  async run({ code, stdin, language }, { runner }, { caller, signal }) {
    return resultOf(await runner.runSnippet({ language, code, stdin }, { subject: ownerOf(caller), signal }))
  },
})
