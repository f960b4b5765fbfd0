import type { Family } from '../../kernel/resource.ts'
import { codeExplain } from './code-explain.ts'
import { rerank } from './rerank.ts'
import { summarizeDiff } from './summarize-diff.ts'

/** Tools that ask a language model; whatever it says is text from outside. */
export const assist: Family = { name: 'assist', tools: [codeExplain, rerank, summarizeDiff], resources: [], prompts: [] }
