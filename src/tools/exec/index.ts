import type { Family } from '../../kernel/resource.ts'
import { runSnippet } from './run-snippet.ts'
import { runTests } from './run-tests.ts'

/** Running code: absent until the operator enables it, and denied until execution is granted. */
export const exec: Family = {
  name: 'exec',
  tools: [runSnippet, runTests],
  resources: [],
  prompts: [],
}
