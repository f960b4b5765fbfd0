import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ownerOf } from '../../kernel/owner.ts'
import { defineTool } from '../../kernel/tool.ts'
import { resultOf, runResult } from './run-result.ts'

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run the tests',
  summary: 'Runs the configured tests in a throw-away copy of the repository, or of one part of it, and returns the output.',
  scope: 'exec:run',
  level: 'RESTRICTED',
  effect: 'execute',
  idempotent: false,
  openWorld: true,
  perMinute: 4,
  uses: ['runner'],
  scansSecrets: true,

  input: z.strictObject({ path_prefix: z.string().max(4096).default('').describe('Part to copy, such as "src/".') }),
  output: runResult,
  examples: [{ title: 'One folder', input: { path_prefix: 'src/' } }],

  touches: ({ path_prefix: prefix }) => [access('execute', 'repo_prefix', normal(prefix))],

  async run({ path_prefix: prefix }, { runner }, { caller, signal }) {
    return resultOf(await runner.runTests(prefix, { subject: ownerOf(caller), signal }))
  },
})

/** As it will be copied: `.` and doubled slashes say nothing. What is no path below the root is refused later. */
const normal = (prefix: string): string => {
  const names = prefix.normalize('NFC').split('/').filter((name) => name !== '' && name !== '.')
  return prefix.startsWith('/') ? `/${names.join('/')}` : names.join('/')
}
