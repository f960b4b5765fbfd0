import type { Family } from '../../kernel/resource.ts'
import { calculate } from './calculate.ts'
import { integrity } from './integrity.ts'
import { readFile } from './read-file.ts'
import { safeFetch } from './safe-fetch.ts'

/** General-purpose tools, each the safe form of the flaw that servers have most often. */
export const core: Family = {
  name: 'core',
  tools: [calculate, readFile, safeFetch],
  resources: [integrity],
  prompts: [],
}
