import type { Family } from '../../kernel/resource.ts'
import { codeRead } from './code-read.ts'
import { codeSearch } from './code-search.ts'
import { dependencyGraph } from './dependency-graph.ts'
import { symbolMap } from './symbol-map.ts'

/** Tools over the source tree, which they read and never run. */
export const repo: Family = {
  name: 'repo',
  tools: [codeRead, codeSearch, dependencyGraph, symbolMap],
  resources: [],
  prompts: [],
}
